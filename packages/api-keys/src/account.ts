import type { Block, ModuleUser, Section } from "@latchkey/core/module"
import type { Context } from "./context.js"
import { keysOf, startOf } from "./keys.js"
import { dateIn } from "./notices.js"
import { type Settings, usualAge } from "./options.js"
import { ownerOf } from "./owners.js"
import type { KeyRecord } from "./records.js"
import { formerOf } from "./secrets.js"

/** What the account page shows of API keys. */
export async function section(settings: Settings, context: Context, user: ModuleUser): Promise<Section> {
  const { text } = context
  const [keys, owner] = await Promise.all([keysOf(context, user.id), ownerOf(settings, context, user.id)])
  const create = owner === null ? textBlock(text("notAllowed")) : createForm(settings, context, owner.rights)
  return {
    title: text("title"),
    blocks: [textBlock(text("about")), ...keys.flatMap((key) => keyBlocks(settings, context, key)), create],
  }
}

export function textBlock(text: string): Block {
  return { kind: "text", text }
}

/** A separator that needs no translation. */
const dot = " · "

function keyBlocks({ prefix }: Settings, context: Context, key: KeyRecord): readonly Block[] {
  const { text, now } = context
  const { id, name, scopes, expiresAt, lastUsedAt } = key
  const expiry = expiresAt === undefined || expiresAt.getTime() > now() ? "expires" : "expired"
  const values = { id, generation: String(key.generation) }
  const dateOf = (date: Date | undefined) => (date === undefined ? text("never") : dateIn(context, date))
  const former = formerOf(key).findLast(({ until }) => until > now())
  const about = [
    text("created", { date: dateIn(context, key.createdAt) }),
    text("used", { date: dateOf(lastUsedAt) }),
    text(expiry, { date: dateOf(expiresAt) }),
  ]
  return [
    textBlock([name, `${startOf(prefix, key)}…`, ...(scopes.length > 0 ? [scopes.join(", ")] : [])].join(dot)),
    textBlock(about.join(dot)),
    ...(former === undefined ? [] : [textBlock(text("overlap", { date: dateIn(context, new Date(former.until)) }))]),
    { kind: "form", route: "rotate", values, submit: text("rotate", { name }), secondary: true },
    { kind: "form", route: "revoke", values: { id }, submit: text("revoke", { name }), secondary: true },
  ]
}

/** The name of the checkbox of a scope. */
export function scopeField(scope: string): string {
  return `scope:${scope}`
}

/** Seconds. */
export const day = 86_400

/** Days that users can type, at most. */
export function mostDays({ maxAge }: Settings): number {
  return Math.max(1, Math.floor((maxAge ?? 100 * 365 * day) / day))
}

/** @param typed what the user typed before, if it was wrong */
export function createForm(
  settings: Settings,
  { text }: Pick<Context, "text">,
  rights: readonly string[],
  typed: Readonly<Record<string, unknown>> = {},
): Block {
  const days = String(Math.max(1, Math.floor(usualAge(settings) / day)))
  const name = typeof typed["keyName"] === "string" ? { value: typed["keyName"].slice(0, 64) } : {}
  const isRequired = settings.maxAge !== null
  const age = { type: "number", min: 1, max: mostDays(settings), value: days, required: isRequired }
  return {
    kind: "form",
    route: "create",
    fields: {
      keyName: { label: text("name"), type: "text", maxlength: 64, required: true, autocomplete: "off", ...name },
      ...Object.fromEntries(
        rights.map((scope) => [
          scopeField(scope),
          {
            label: scope,
            type: "checkbox",
            value: "yes",
            ...(typed[scopeField(scope)] === "yes" && { checked: true }),
          },
        ]),
      ),
      days: { label: text(isRequired ? "days" : "daysOrNever"), ...age },
    },
    submit: text("create"),
    secondary: true,
  }
}
