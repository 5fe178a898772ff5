import { type FactorForm, type SignInAttempt, sha256 } from "@latchkey/core/module"
import type { Context } from "./context.js"
import { isTrusted, trustDevice } from "./devices.js"
import { enroll, factorOf, methodsIn, newCode, setupOf, beginSetup } from "./factor.js"
import { codeField, codeForm, savedForm, setupBlocks } from "./forms.js"
import { masked, notify } from "./notices.js"
import { defaults, type MfaOptions, type SentMethod } from "./options.js"
import { beganWithPasskey, passkeyButton, useFields, wrong } from "./passkeys.js"
import { forgetProof, rememberProof } from "./proof.js"
import type { FactorRecord } from "./records.js"
import { cancelReset, completeReset } from "./reset.js"
import { send, sendable } from "./send.js"

// What the module does in a sign-in. `attempt.held` names it, so that nothing that is for one is good for another.

/** What a right answer adds to the methods of the sign-in (RFC 8176). */
export const amr: readonly string[] = ["otp", "mfa"]

/** In what every right answer adds. */
const proven = "mfa"

export async function isRequired(options: MfaOptions, context: Context, attempt: SignInAttempt): Promise<boolean> {
  const { user } = attempt
  if (isAccepted(options, attempt)) return false
  const factor = await factorOf(context, user.id)
  if (factor === null || (await completeReset(context, user))) return hasToEnroll(options, context, attempt)
  return options.trustedDevices === false || !(await isTrusted(context, user.id, factor.epoch))
}

/** The provider asked for a second factor, and says so (OWASP ASVS 6.8.4). Only an ID token can say it. */
export function isAccepted({ accept = {} }: MfaOptions, { provider, method, profile }: SignInAttempt): boolean {
  const levels = Object.hasOwn(accept, provider) ? accept[provider] : undefined
  if (levels === undefined || method !== "oidc") return false
  const { amr: methods, acr } = profile ?? {}
  const isStrong = Array.isArray(methods) && methods.some((each) => levels.amr?.includes(String(each)) === true)
  return isStrong || (typeof acr === "string" && levels.acr?.includes(acr) === true)
}

/** A new user gets an id when they're stored, and a factor can't belong to them before. */
async function hasToEnroll(options: MfaOptions, context: Context, attempt: SignInAttempt): Promise<boolean> {
  const { user, isNewUser, provider } = attempt
  if (isNewUser || (await options.require?.({ user, provider })) !== true) return false
  const seconds = options.gracePeriod ?? defaults.gracePeriod
  if (seconds === 0) return true
  const { records, now } = context
  const until = new Date(now() + seconds * 1000)
  if (await records.grace.insert({ userId: user.id, until })) return false
  return ((await records.grace.get({ userId: user.id }))?.until.getTime() ?? 0) <= now()
}

/** `null`: a new user has no factor, and can't set one up yet. */
export async function form(options: MfaOptions, context: Context, attempt: SignInAttempt): Promise<FactorForm | null> {
  const id = await placeOf(attempt)
  const setup = await setupOf(context, id, attempt.user.id)
  if (setup?.isDone === true) return savedForm(context, undefined)
  // A guard may ask for the factor without `isRequired`.
  const isReset = await completeReset(context, attempt.user)
  const factor = isReset ? null : await factorOf(context, attempt.user.id)
  if (factor !== null) return askForm(options, context, { attempt, factor })
  if (attempt.isNewUser) return null
  return setupForm(options, context, attempt)
}

export async function verify(
  options: MfaOptions,
  context: Context,
  attempt: SignInAttempt,
  fields: Readonly<Record<string, string>>,
): Promise<true | Pick<SignInAttempt, "amr"> | string | FactorForm> {
  const { user } = attempt
  const id = await placeOf(attempt)
  const setup = await setupOf(context, id, user.id)
  if (setup?.isDone === true) return (await context.records.setup.take({ id })) === null ? context.text("wrong") : true
  const factor = await factorOf(context, user.id)
  const { code: typed = "", action } = fields
  if (factor === null) return finishSetup(context, attempt, typed)
  if (action !== undefined) return sendCode(options, context, { attempt, factor }, action)
  const used = await useFields(options, context, { userId: user.id, id, fields })
  if (used === undefined) return wrong(context, fields)
  if (used.kind === "recovery") await reportRecovery(context, user, used.left)
  return used.kind === "passkey" ? { amr: [used.amr, proven] } : true
}

/** Runs behind the factor, if there was one. */
export async function after(options: MfaOptions, context: Context, attempt: SignInAttempt): Promise<void> {
  const { user } = attempt
  if (!attempt.amr.includes(proven)) return forgetProof(context)
  await rememberProof(context, user.id)
  const { trust } = context.request.fields
  if (options.trustedDevices !== false && typeof trust === "string") await trustDevice(context, user.id)
  // With the factor at hand, the user needs no other.
  if (await cancelReset(context, user.id))
    await notify(context, user.id, { to: user.email, notice: "mailResetCanceled" })
}

async function placeOf({ held = "" }: SignInAttempt): Promise<string> {
  return sha256(`sign-in ${held}`)
}

interface Asked {
  readonly attempt: SignInAttempt
  readonly factor: FactorRecord
}

function sendableFor(options: MfaOptions, context: Context, { attempt, factor }: Asked): readonly SentMethod[] {
  return sendable(options, context, { factor, amr: attempt.amr })
}

async function askForm(options: MfaOptions, context: Context, asked: Asked, note?: string): Promise<FactorForm> {
  const { attempt, factor } = asked
  const hasApp = methodsIn(factor).includes("app")
  const methods = sendableFor(options, context, asked)
  const where = { userId: attempt.user.id, id: await placeOf(attempt), factor }
  // A passkey that is the first factor can't be the second one, too: without a challenge, it has nothing to sign.
  const passkey = beganWithPasskey(attempt) ? undefined : await passkeyButton(options, context, where)
  return codeForm(context, { hasApp, methods, passkey, note, offersTrust: options.trustedDevices !== false })
}

async function sendCode(
  options: MfaOptions,
  context: Context,
  asked: Asked,
  action: string,
): Promise<string | FactorForm> {
  const method = sendableFor(options, context, asked).find((each) => each === action)
  const to = method === undefined ? undefined : asked.factor[method]
  if (method === undefined || to === undefined) return context.text("wrong")
  const { id: userId } = asked.attempt.user
  const code = await newCode(context, await placeOf(asked.attempt), userId)
  if (!(await send(options, context, { userId, method, to, code, purpose: "prove" }))) return context.text("notSent")
  return askForm(options, context, asked, context.text("sent", { to: masked(to) }))
}

/** The user has no factor, and has to. What they begin is for this sign-in alone. */
async function setupForm(options: MfaOptions, context: Context, attempt: SignInAttempt): Promise<FactorForm> {
  const { user } = attempt
  const id = await placeOf(attempt)
  const begun = await setupOf(context, id, user.id)
  const { secret } = begun ?? (await beginSetup(context, { id, userId: user.id, method: "app" })).setup
  return {
    title: context.text("title"),
    text: context.text("mustNow"),
    blocks: setupBlocks(context, { secret, issuer: options.issuer, user }),
    fields: { code: codeField(context) },
    submit: context.text("verify"),
  }
}

async function finishSetup(
  context: Context,
  { user, held }: SignInAttempt,
  typed: string,
): Promise<string | FactorForm> {
  const setup = await setupOf(context, await placeOf({ held } as SignInAttempt), user.id)
  const enrolled = setup === null ? undefined : await enroll(context, setup, { typed, keeps: true })
  if (enrolled === undefined) return context.text("wrong")
  await context.emit("enrolled", { id: user.id }, { data: { method: "app" } })
  await notify(context, user.id, { to: user.email, notice: "mailEnrolled" })
  return savedForm(context, enrolled.recoveryCodes)
}

export async function reportRecovery(
  context: Context,
  { id, email }: { readonly id: string; readonly email?: string | null | undefined },
  left: number,
): Promise<void> {
  await context.emit("recovery-used", { id }, { data: { left: String(left) } })
  await notify(context, id, { to: email, notice: "mailRecoveryUsed", values: { left: String(left) } })
}
