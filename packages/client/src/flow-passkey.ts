import type { ErrorStep, PasskeyStep } from "@latchkey/core/types"
import { offerAutofill, supportsAutofill } from "./autofill.js"
import { replacePending } from "./ceremony.js"
import { runCeremony, supportsPasskeys } from "./credential.js"
import { errorStep } from "./flow-step.js"

/** Requests options for an action from the server. */
type GetOptions = () => Promise<PasskeyStep | ErrorStep>

/** The fields for the callback, or why there's no proof. */
export type Proof = { readonly action: string; readonly data: string; readonly options: object } | ErrorStep

/** Asks the user for a passkey, or to create one. */
export async function proofOfButton(getOptions: GetOptions, outer: AbortSignal | undefined): Promise<Proof> {
  const signal = replacePending(outer)
  if (!supportsPasskeys()) return problemOf("NotSupportedError")
  const step = await getOptions()
  if (step.status === "error") return step
  const { action, options, messages } = step
  try {
    return { action, data: await runCeremony(action, options, { signal }), options }
  } catch (error) {
    return problemOf(error, action, messages)
  }
}

/** Offers passkeys in the browser's autofill until the user selects one. */
export async function proofOfAutofill(getOptions: GetOptions, outer: AbortSignal | undefined): Promise<Proof> {
  const signal = replacePending(outer)
  const action = "authenticate"
  let refusal: ErrorStep | undefined
  const optionsOrThrow = async () => {
    const step = await getOptions()
    if (step.status === "passkey") return step.options
    refusal = step
    throw new Error(step.error.code)
  }
  try {
    if (!(await supportsAutofill())) return problemOf("NotSupportedError")
    return { action, data: await offerAutofill(optionsOrThrow, signal), options: {} }
  } catch (error) {
    return refusal ?? problemOf(error)
  }
}

/** @param given a DOMException of the browser, or its name */
function problemOf(given: unknown, action = "", messages: PasskeyStep["messages"] = {}): ErrorStep {
  const code = given instanceof Error ? given.name : String(given)
  const message = messages[`${code} ${action}`] ?? messages[code] ?? messages["failed"] ?? fallbacks[code]
  return errorStep({ code, message: message ?? "Something went wrong. Try again, or sign in another way." })
}

/** Before the server has sent texts in the user's language. */
const fallbacks: Readonly<Record<string, string>> = {
  NotSupportedError: "This browser doesn't support passkeys on this page. Use another browser, or sign in another way.",
}
