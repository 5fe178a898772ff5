import type { ModuleUser, PageBlock, StepUpQuestion } from "@latchkey/core/module"
import type { Background, Context } from "./context.js"
import { factorOf, methodsIn, newCode, type Used } from "./factor.js"
import { codeForm } from "./forms.js"
import type { RequireOptions } from "./index.js"
import { masked } from "./notices.js"
import type { MfaOptions } from "./options.js"
import { beganWithPasskey, passkeyButton, useFields, wrong } from "./passkeys.js"
import { placeOf } from "./place.js"
import { recentProof, rememberProof } from "./proof.js"
import type { FactorRecord } from "./records.js"
import { send, sendable } from "./send.js"
import { reportRecovery } from "./sign-in.js"

// A signed-in user proves the second factor again: before it changes, and where the application asks for it.

type Result = ReturnType<Context["json"]>

interface Shown {
  readonly note?: string
  readonly error?: string
}

/** The page that asks. It leads back to where the user came from. */
export async function showVerify(
  options: MfaOptions,
  context: Context,
  user: ModuleUser,
  { note, error }: Shown = {},
): Promise<Result> {
  const { text, page, accountUrl } = context
  const factor = await factorOf(context, user.id)
  const account = { kind: "link", url: accountUrl, text: text("account") } as const
  if (factor === null) return page({ title: text("title"), blocks: [{ kind: "text", text: text("none") }, account] })
  return page({
    title: text("again"),
    ...(error !== undefined && { error, status: 401 }),
    blocks: await verifyBlocks(options, context, { user, factor, note }),
  })
}

interface Asked {
  readonly user: ModuleUser
  readonly factor: FactorRecord
  readonly note: string | undefined
}

async function verifyBlocks(
  options: MfaOptions,
  context: Context,
  { user, factor, note }: Asked,
): Promise<readonly PageBlock[]> {
  const amr = await amrIn(context)
  const passkey =
    amr[0] === "pop" || factor.passkey === undefined
      ? undefined
      : await passkeyButton(options, context, { userId: user.id, id: await placeOf(context), factor })
  const methods = sendable(options, context, { factor, amr })
  const hasApp = methodsIn(factor).includes("app")
  const {
    text,
    fields,
    submit,
    actions = {},
  } = codeForm(context, {
    hasApp,
    methods,
    passkey,
    note,
    offersTrust: false,
  })
  const to = targetIn(context)
  return [
    { kind: "text", text: text ?? "" },
    ...(passkey === undefined ? [] : [{ kind: "passkey", route: "verify", values: { to }, ...passkey } as const]),
    { kind: "form", route: "verify", values: { to }, fields, submit },
    ...Object.entries(actions).map(
      ([action, label]) =>
        ({ kind: "form", route: "verify", values: { to, action }, submit: label, secondary: true }) satisfies PageBlock,
    ),
  ]
}

/** What the user proved when the session began. */
async function amrIn(context: Context): Promise<readonly string[]> {
  return (await context.signIn())?.amr ?? []
}

/** After a sign-in with a passkey, only one that verifies its user proves more than was proven before. */
async function useAnother(options: MfaOptions, context: Context, user: ModuleUser): Promise<Used | undefined> {
  const asked = { userId: user.id, id: await placeOf(context), fields: context.request.fields }
  const used = await useFields(options, context, asked)
  const isSame = used?.kind === "passkey" && used.amr !== "hwk" && beganWithPasskey({ amr: await amrIn(context) })
  return isSame ? undefined : used
}

/** Where the user goes afterwards. Empty: to the account page. */
function targetIn({ request }: Context): string {
  const to = request.query["to"] ?? request.fields["to"]
  return typeof to === "string" ? to : ""
}

/** Attempts are counted before they're looked at, all methods together. */
export async function answerVerify(options: MfaOptions, context: Context, user: ModuleUser): Promise<Result> {
  const { request, emit } = context
  const { action } = request.fields
  if (typeof action === "string") return sendAgain(options, context, user, action)
  await context.limit("verify", user.id)
  const used = await useAnother(options, context, user)
  await emit("verified", user, { outcome: used === undefined ? "failure" : "success" })
  if (used === undefined) return showVerify(options, context, user, { error: wrong(context, request.fields) })
  if (used.kind === "recovery") await reportRecovery(context, user, used.left)
  await rememberProof(context, user.id)
  const to = targetIn(context)
  return context.redirect(to === "" ? "account" : { url: to })
}

async function sendAgain(options: MfaOptions, context: Context, user: ModuleUser, action: string): Promise<Result> {
  const { text } = context
  const factor = await factorOf(context, user.id)
  const methods = factor === null ? [] : sendable(options, context, { factor, amr: await amrIn(context) })
  const method = methods.find((each) => each === action)
  const to = method === undefined ? undefined : factor?.[method]
  if (method === undefined || to === undefined) return showVerify(options, context, user)
  const code = await newCode(context, await placeOf(context), user.id)
  const isSent = await send(options, context, { userId: user.id, method, to, code, purpose: "prove" })
  const shown = isSent ? { note: text("sent", { to: masked(to) }) } : { error: text("notSent") }
  return showVerify(options, context, user, shown)
}

/** `null`: the user has proven two factors a short time ago. */
export async function required(
  background: Background,
  request: Pick<Request, "headers" | "url">,
  { maxAge = recentProof }: RequireOptions = {},
): Promise<Response | null> {
  const context = await background.at(request)
  const { pathname, search } = new URL(request.url, context.request.origin)
  return context.stepUp({ maxAge, level: 2 }, pathname + search)
}

/** A user without a factor sees that they need one. `null`: they signed in with two factors that aren't of this module, or needn't have two. */
export async function pageThatAsks(
  context: Context,
  userId: string,
  { to, level, isStrong }: StepUpQuestion,
): Promise<ReturnType<Context["url"]> | null> {
  const needsFactor = level === 2 && !isStrong
  return needsFactor || (await factorOf(context, userId)) !== null ? context.url("verify", { to }) : null
}
