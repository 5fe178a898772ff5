import { toRoute } from "../../http/redirect.js"
import { resendAfter } from "./resend.js"
import type { EmailSentStep } from "../../model/flow.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { AuthRequest } from "../../model/http.js"
import { shapeOf } from "./code.js"

interface Sent {
  /** As the user typed it. How the database spells it would tell that there's an account. */
  readonly email: string
  readonly code: string | undefined
  /** Seconds. */
  readonly expiresIn: number
}

/** What a flow learns about an email that was sent: nothing about whether there's an account. */
export function sentStep(
  request: AuthRequest,
  { id }: EmailProvider,
  { email, code, expiresIn }: Sent,
): Omit<EmailSentStep, "url"> {
  const sent = { status: "email-sent", email, provider: id, expiresIn, resendIn: resendAfter } as const
  return code === undefined ? sent : { ...sent, code: { ...shapeOf(code), url: toRoute(request, `callback/${id}`) } }
}
