import type { EmailSentStep } from "../../model/flow.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { AuthRequest } from "../../model/http.js"

/** Seconds, as on the built-in page. */
const resendIn = 60

interface Sent {
  /** As the user typed it. How the database spells it would tell that there's an account. */
  readonly email: string
  readonly code: string | undefined
  /** Seconds. */
  readonly expiresIn: number
}

/** What a flow learns about an email that was sent: nothing about whether there's an account. */
export function sentStep(
  { base }: AuthRequest,
  { id }: EmailProvider,
  { email, code, expiresIn }: Sent,
): Omit<EmailSentStep, "url"> {
  const form = code === undefined ? undefined : { length: code.length, digits: /^\d+$/.test(code) }
  const url = `${base}/callback/${id}`
  return { status: "email-sent", email, provider: id, expiresIn, resendIn, ...(form && { code: { ...form, url } }) }
}
