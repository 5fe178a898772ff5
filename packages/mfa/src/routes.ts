import { type ModuleUser, type Route, route } from "@latchkey/core/module"
import type { Context } from "./context.js"
import { possible } from "./account.js"
import { forgetDevice } from "./devices.js"
import {
  allMethods,
  beginSetup,
  enroll,
  enrollPasskey,
  type Enrolled,
  factorOf,
  regenerate,
  removeMethod,
  setupOf,
} from "./factor.js"
import { codeField, setupBlocks } from "./forms.js"
import { notify } from "./notices.js"
import type { Method, MfaOptions } from "./options.js"
import { provenForSetup, setupButton } from "./passkeys.js"
import { placeOf } from "./place.js"
import { isProven, recentProof } from "./proof.js"
import type { records, SetupRecord } from "./records.js"
import { cancelReset } from "./reset.js"
import { send } from "./send.js"
import { answerVerify, showVerify } from "./step-up.js"

type Result = ReturnType<Context["json"]>
type Handle = (options: MfaOptions, context: Context, user: ModuleUser) => Promise<Result>

/** What the forms of the account page post to. */
export function routesOf(options: MfaOptions): readonly Route[] {
  const bind = (handle: Handle) => async (context: Context, user: ModuleUser) => handle(options, context, user)
  const changing = (handle: Handle) => bind(withProof(handle))
  const recent = { session: "recent" } as const
  return [
    route<typeof records>("POST", "enroll", recent, changing(startEnrollment)),
    route<typeof records>("POST", "confirm", { ...recent, limit: "confirm" }, changing(confirmEnrollment)),
    route<typeof records>("POST", "remove", recent, changing(remove)),
    route<typeof records>("POST", "regenerate", recent, changing(newRecoveryCodes)),
    route<typeof records>("POST", "forget", {}, bind(forget)),
    route<typeof records>("POST", "cancel-reset", {}, bind(cancel)),
    route<typeof records>("GET", "verify", {}, bind(showVerify)),
    route<typeof records>("POST", "verify", {}, bind(answerVerify)),
  ]
}

/** Who has a factor proves it before anything about it changes (OWASP ASVS 7.5.1). */
function withProof(handle: Handle): Handle {
  return async (options, context, user) => {
    const isFirst = (await factorOf(context, user.id)) === null
    if (isFirst || (await isProven(context, user.id, recentProof))) return handle(options, context, user)
    return showVerify(options, context, user)
  }
}

function methodIn({ request }: Context): Method | undefined {
  return allMethods.find((method) => method === request.fields["method"])
}

async function startEnrollment(options: MfaOptions, context: Context, user: ModuleUser): Promise<Result> {
  if (methodIn(context) === "passkey") return passkeyPage(options, context, user)
  const method = possible(options, context, user).find((each) => each === methodIn(context))
  if (method === undefined) return context.redirect("account")
  const id = await placeOf(context)
  if (method === "app") {
    const { setup } = await beginSetup(context, { id, userId: user.id, method })
    return setupPage(options, context, { setup, user })
  }
  const to = method === "email" ? user.email : numberIn(context.request.fields["phone"])
  if (to === undefined) return problemPage(context, "noNumber")
  const unsolved = method === "sms" ? await captchaPage(context, to) : undefined
  if (unsolved !== undefined) return unsolved
  const { setup, code } = await beginSetup(context, { id, userId: user.id, method, to })
  const isSent = await send(options, context, { userId: user.id, method, to, code, purpose: "enroll" })
  return isSent ? setupPage(options, context, { setup, user }) : problemPage(context, "notSent")
}

/** The account page has no CAPTCHA, so the first form leads to one that has. `undefined`: none is asked for, or it's solved. */
async function captchaPage(context: Context, number: string): Promise<Result | undefined> {
  const { page, text } = context
  const error = await context.captcha("sign-up")
  if (error === undefined) return undefined
  const phone = { label: text("phone"), type: "tel", autocomplete: "tel", required: true, value: number }
  const form = { kind: "form", route: "enroll", values: { method: "sms" }, fields: { phone } } as const
  return page({
    title: text("title"),
    error,
    status: 400,
    blocks: [{ ...form, captcha: "sign-up", submit: text("setUpSms") }],
  })
}

/** A number as people type it. */
function numberIn(typed: unknown): string | undefined {
  const number = typeof typed === "string" ? typed.replace(/[\s()./-]/g, "").replace(/^00/, "+") : ""
  return /^\+?\d{6,15}$/.test(number) ? number : undefined
}

async function problemPage({ page, text, accountUrl }: Context, key: string): Promise<Result> {
  const back = { kind: "link", url: accountUrl, text: text("account") } as const
  return page({ title: text("title"), error: text(key), status: 400, blocks: [back] })
}

interface Begun {
  readonly setup: SetupRecord
  readonly user: ModuleUser
  readonly error?: string
}

async function setupPage({ issuer }: MfaOptions, context: Context, { setup, user, error }: Begun): Promise<Result> {
  const { page, text } = context
  const about =
    setup.method === "app"
      ? setupBlocks(context, { secret: setup.secret, issuer, user })
      : [{ kind: "text", text: text("sent", { to: setup.secret }) } as const]
  const fields = { code: codeField(context) }
  return page({
    title: text("title"),
    ...(error !== undefined && { error, status: 400 }),
    blocks: [...about, { kind: "form", route: "confirm", fields, submit: text("verify") }],
  })
}

/** Only in the browser where it began, only of the same user, and not after another sign-in. */
async function confirmEnrollment(options: MfaOptions, context: Context, user: ModuleUser): Promise<Result> {
  const { passkey } = context.request.fields
  if (typeof passkey === "string") return confirmPasskey(options, context, user, passkey)
  const setup = await setupOf(context, await placeOf(context), user.id)
  if (setup === null) return context.redirect("account")
  const enrolled = await enroll(context, setup, { typed: String(context.request.fields["code"]) })
  if (enrolled === undefined) return setupPage(options, context, { setup, user, error: context.text("wrong") })
  return reportEnrolled(context, user, setup.method, enrolled)
}

async function reportEnrolled(
  context: Context,
  user: ModuleUser,
  method: string,
  { recoveryCodes }: Enrolled,
): Promise<Result> {
  await context.emit("enrolled", user, { data: { method } })
  await notify(context, user.id, { to: user.email, notice: "mailEnrolled" })
  return donePage(context, recoveryCodes)
}

/** The passkey that the user uses here becomes the second step. */
async function passkeyPage(options: MfaOptions, context: Context, user: ModuleUser, error?: string): Promise<Result> {
  const { page, text } = context
  const button = await setupButton(options, context, { userId: user.id, id: await placeOf(context) })
  if (button === undefined) return context.redirect("account")
  return page({
    title: text("title"),
    ...(error !== undefined && { error, status: 400 }),
    blocks: [
      { kind: "text", text: text("confirmPasskey") },
      { kind: "passkey", route: "confirm", ...button },
    ],
  })
}

async function confirmPasskey(
  options: MfaOptions,
  context: Context,
  user: ModuleUser,
  answer: string,
): Promise<Result> {
  const asked = { userId: user.id, id: await placeOf(context), answer }
  const proven = await provenForSetup(options, context, asked)
  const enrolled = proven === null ? undefined : await enrollPasskey(context, user.id, proven.id)
  if (enrolled === undefined) return passkeyPage(options, context, user, context.text("wrongPasskey"))
  return reportEnrolled(context, user, "passkey", enrolled)
}

/** Offers to end the other sessions, which the account page lists. */
async function donePage({ page, text, accountUrl }: Context, codes: readonly string[] | undefined): Promise<Result> {
  const recovery =
    codes === undefined ? [] : [{ kind: "text", text: text("keep") } as const, { kind: "codes", codes } as const]
  return page({
    title: text("isOn"),
    blocks: [
      ...recovery,
      { kind: "text", text: text("elsewhere") },
      { kind: "link", url: accountUrl, text: text("account") },
    ],
  })
}

async function remove(_: MfaOptions, context: Context, user: ModuleUser): Promise<Result> {
  const method = methodIn(context)
  const id = String(context.request.fields["id"])
  if (method === undefined || !(await removeMethod(context, { userId: user.id, method, id })))
    return context.redirect("account")
  await context.emit("removed", user, { data: { method } })
  await notify(context, user.id, { to: user.email, notice: "mailRemoved" })
  return context.redirect("account")
}

async function newRecoveryCodes(_: MfaOptions, context: Context, user: ModuleUser): Promise<Result> {
  const codes = await regenerate(context, user.id)
  if (codes === undefined) return context.redirect("account")
  await context.emit("recovery-regenerated", user)
  await notify(context, user.id, { to: user.email, notice: "mailRegenerated" })
  return donePage(context, codes)
}

async function forget(_: MfaOptions, context: Context, user: ModuleUser): Promise<Result> {
  if (await forgetDevice(context, user.id, String(context.request.fields["id"])))
    await context.emit("device-removed", user)
  return context.redirect("account")
}

async function cancel(_: MfaOptions, context: Context, user: ModuleUser): Promise<Result> {
  if (await cancelReset(context, user.id))
    await notify(context, user.id, { to: user.email, notice: "mailResetCanceled" })
  return context.redirect("account")
}
