import type { Asserted, OwnPasskey, PasskeyButton, PasskeyQuestion } from "@latchkey/core/module"
import type { Context } from "./context.js"
import { factorOf, type Used, useAnswer } from "./factor.js"
import type { MfaOptions } from "./options.js"
import type { FactorRecord } from "./records.js"

// Of the passkeys of a user, only those answer that they chose as their second step: a thief of the session could add another one.

interface Asked {
  readonly userId: string
  /** The sign-in or browser that asks. */
  readonly id: string
}

/** `undefined`: no passkey of the user can answer. */
export async function passkeyButton(
  options: MfaOptions,
  context: Context,
  { userId, id, factor }: Asked & { readonly factor: FactorRecord },
): Promise<PasskeyButton | undefined> {
  if (factor.passkey === undefined) return undefined
  return buttonFor(options, context, { userId, purpose: id, among: factor.passkey })
}

/** What the method itself proves comes first, before the factors. */
export function beganWithPasskey({ amr: [first] }: { readonly amr: readonly string[] }): boolean {
  return first === "hwk" || first === "pop"
}

interface Given extends Asked {
  readonly fields: Readonly<Record<string, unknown>>
}

/** Uses up a code, or what a passkey signed. `undefined`: it's wrong, or was used. */
export async function useFields(
  options: MfaOptions,
  context: Context,
  { userId, id, fields: { code, passkey } }: Given,
): Promise<Used | undefined> {
  if (typeof passkey !== "string")
    return typeof code === "string" ? useAnswer(context, { userId, typed: code, id }) : undefined
  const factor = await factorOf(context, userId)
  if (factor?.passkey === undefined) return undefined
  const asserted = await verify(options, context, { userId, purpose: id, among: factor.passkey }, passkey)
  return asserted === null ? undefined : { kind: "passkey", amr: asserted.amr }
}

/** What is wrong with such fields. */
export function wrong({ text }: Context, { passkey }: Given["fields"]): string {
  return text(typeof passkey === "string" ? "wrongPasskey" : "wrong")
}

/** The passkeys that a user could make their second step. */
export async function freePasskeys(
  { passkeys: isOn = true }: MfaOptions,
  { passkeys }: Context,
  { userId, factor }: { readonly userId: string; readonly factor: FactorRecord | null },
): Promise<readonly OwnPasskey[]> {
  const own = isOn ? ((await passkeys?.of(userId)) ?? []) : []
  return own.filter(({ id }) => factor?.passkey?.includes(id) !== true)
}

/** Asks for a passkey that becomes the second step. */
export async function setupButton(
  options: MfaOptions,
  context: Context,
  asked: Asked,
): Promise<PasskeyButton | undefined> {
  return buttonFor(options, context, await setupQuestion(options, context, asked))
}

/** `null`: it's wrong, or was used. */
export async function provenForSetup(
  options: MfaOptions,
  context: Context,
  { answer, ...asked }: Asked & { readonly answer: string },
): Promise<Asserted | null> {
  return verify(options, context, await setupQuestion(options, context, asked), answer)
}

async function setupQuestion(options: MfaOptions, context: Context, { userId, id }: Asked): Promise<PasskeyQuestion> {
  const free = await freePasskeys(options, context, { userId, factor: await factorOf(context, userId) })
  return { userId, purpose: `set up ${id}`, among: free.map((each) => each.id) }
}

async function buttonFor(
  { passkeys: isOn = true }: MfaOptions,
  { passkeys, text }: Context,
  question: PasskeyQuestion,
): Promise<PasskeyButton | undefined> {
  const asked = isOn ? ((await passkeys?.ask(question)) ?? null) : null
  return asked === null ? undefined : { label: text("usePasskey"), options: asked }
}

async function verify(
  { passkeys: isOn = true }: MfaOptions,
  { passkeys }: Context,
  question: PasskeyQuestion,
  answer: string,
): Promise<Asserted | null> {
  return isOn ? ((await passkeys?.verify(question, answer)) ?? null) : null
}
