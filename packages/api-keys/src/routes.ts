import { type ModuleUser, type Route, route } from "@latchkey/core/module"
import { createForm, day, mostDays, scopeField, textBlock } from "./account.js"
import type { Context, Result } from "./context.js"
import { createKey, type IssuedKey } from "./create.js"
import type { CreateProblem } from "./index.js"
import { endKey } from "./keys.js"
import { dateIn, notify } from "./notices.js"
import type { Settings } from "./options.js"
import { ownerOf } from "./owners.js"
import type { records } from "./records.js"
import { rotateKey } from "./rotate.js"
import { formerOf } from "./secrets.js"
import { failure } from "./server.js"

type Handle = (settings: Settings, context: Context, user: ModuleUser) => Promise<Result>

/**
 * What the forms of the account page post to. The owner is always the user of the session. A new secret needs a recent sign-in
 * and the second factor of a user who has one. Ending a key doesn't: it's what users do when something is wrong.
 */
export function routesOf(settings: Settings): readonly Route[] {
  const bind = (handle: Handle) => async (context: Context, user: ModuleUser) => handle(settings, context, user)
  const issue = (handle: Handle) => bind(withLevel(handle))
  const issuing = { session: "strong", limit: "issue" } as const
  return [
    route<typeof records>("POST", "create", issuing, issue(create)),
    route<typeof records>("POST", "rotate", issuing, issue(rotate)),
    route<typeof records>("POST", "revoke", {}, bind(revoke)),
  ]
}

/** Seconds. As long as a sign-in is recent. */
const recentProof = 900

function withLevel(handle: Handle): Handle {
  return async (settings, context, user) => {
    const { accountUrl, empty, stepUp } = context
    const asked = { maxAge: recentProof, level: settings.level }
    const response = settings.level === 1 ? null : await stepUp(asked, new URL(accountUrl).pathname)
    if (response !== null) return empty(response.status, Object.fromEntries(response.headers))
    return handle(settings, context, user)
  }
}

async function create(settings: Settings, context: Context, user: ModuleUser): Promise<Result> {
  const { fields } = context.request
  const created = await createKey(settings, context, {
    userId: user.id,
    name: typeof fields["keyName"] === "string" ? fields["keyName"] : "",
    scopes: scopesIn(fields),
    expiresIn: lifetimeIn(fields["days"]),
  })
  if (typeof created === "string") {
    await context.emit("created", user, failure(created))
    return problemPage(settings, context, user, created)
  }
  await context.emit("created", user, { data: { keyId: created.key.id } })
  const values = () => ({ name: created.key.name })
  await notify(context, { userId: user.id, to: user.email, notice: "mailCreated", at: context, values })
  return keyPage(context, created)
}

/** Also those that the form doesn't offer: they're refused, and not left out. */
function scopesIn(fields: Context["request"]["fields"]): readonly string[] {
  const start = scopeField("")
  return Object.keys(fields).flatMap((name) =>
    name.startsWith(start) && fields[name] === "yes" ? [name.slice(start.length)] : [],
  )
}

/** Seconds. Empty: never. What isn't a number of days is no lifetime. */
function lifetimeIn(days: unknown): number | null {
  if (days === "") return null
  return typeof days === "string" && /^\d{1,5}$/.test(days) ? Number(days) * day : 0
}

/** The key isn't shown again: no page is cached. */
async function keyPage(context: Context, { key, text: secret }: IssuedKey): Promise<Result> {
  const { text, page, accountUrl } = context
  const former = formerOf(key).at(-1)
  const overlap =
    former === undefined ? [] : [textBlock(text("overlap", { date: dateIn(context, new Date(former.until)) }))]
  return page({
    title: key.name,
    headers: { "cache-control": "no-store" },
    blocks: [
      textBlock(text("keep")),
      { kind: "codes", codes: [secret] },
      ...overlap,
      { kind: "link", url: accountUrl, text: text("account") },
    ],
  })
}

/** The texts about problems. */
const problems = {
  name: "badName",
  scopes: "badScopes",
  lifetime: "badDays",
  owner: "notAllowed",
  limit: "full",
  busy: "changed",
} as const satisfies Readonly<Record<CreateProblem, string>>

async function problemPage(
  settings: Settings,
  context: Context,
  user: ModuleUser,
  problem: CreateProblem,
): Promise<Result> {
  const { text, page, accountUrl, request } = context
  const max = problem === "limit" ? settings.maxKeys : mostDays(settings)
  const owner = problem === "limit" ? null : await ownerOf(settings, context, user.id)
  return page({
    title: text("title"),
    error: text(problems[problem], { max: String(max) }),
    status: 400,
    blocks: [
      ...(owner === null ? [] : [createForm(settings, context, owner.rights, request.fields)]),
      { kind: "link", url: accountUrl, text: text("account") },
    ],
  })
}

async function rotate(settings: Settings, context: Context, user: ModuleUser): Promise<Result> {
  const { text, page, accountUrl, request, emit } = context
  const id = textIn(request.fields["id"])
  // A form without it is refused: it doesn't say what the user saw.
  const generation = Number(textIn(request.fields["generation"]) || Number.NaN)
  const named = { id, userId: user.id, generation }
  const rotated = await rotateKey(settings, context, { ...named, overlap: settings.overlap })
  if (typeof rotated === "string") {
    await emit("rotated", user, failure(rotated))
    const account = { kind: "link", url: accountUrl, text: text("account") } as const
    return page({ title: text("title"), error: text("changed"), status: 409, blocks: [account] })
  }
  await emit("rotated", user, { data: { keyId: id } })
  const values = () => ({ name: rotated.key.name })
  await notify(context, { userId: user.id, to: user.email, notice: "mailRotated", at: context, values })
  return keyPage(context, rotated)
}

async function revoke(_: Settings, context: Context, user: ModuleUser): Promise<Result> {
  const id = textIn(context.request.fields["id"])
  const ended = await endKey(context, { id, userId: user.id })
  await context.emit("revoked", user, ended === null ? failure("not-found") : { data: { keyId: id } })
  return context.redirect("account")
}

/** An id is short, and any other value names no key. */
function textIn(value: unknown): string {
  return typeof value === "string" && value.length <= 64 ? value : ""
}
