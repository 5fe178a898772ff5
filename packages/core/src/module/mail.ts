import { AuthError, EmailSignInError } from "../errors.js"
import { toRequest } from "../http/auth-request.js"
import { consumeAttempt } from "../limits/attempts.js"
import { emailIdentifier } from "../limits/one-spelling.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { ModuleMail } from "../model/module-content.js"
import { within } from "../primitives/runtime.js"
import { mailLanguage } from "../signin/email-links.js"
import { type Sender, senderIn } from "./sender.js"

/** Milliseconds. */
const timeoutMs = 10_000

/** @throws RateLimited or EmailSignInError */
export async function send(auth: AuthContext, request: AuthRequest, mail: ModuleMail): Promise<void> {
  const { to, isNotice = false, ...letter } = mail
  const { provider, sendAccountEmail } = senderOf(auth)
  if (!isNotice) await consumeAttempt(auth, request, { action: "email", identifiers: () => [emailIdentifier(to)] })
  const shared = { provider, theme: auth.theme, request: toRequest(request), ...(await mailLanguage(auth, request)) }
  try {
    const url = letter.link?.url ?? request.origin
    await within(
      timeoutMs,
      sendAccountEmail({ kind: "notice", identifier: to, email: to, url, letter, ...shared }),
      late,
    )
  } catch (cause) {
    throw new EmailSignInError("Could not send the email; the cause has the error of the mail service", { cause })
  }
}

function senderOf(auth: AuthContext): Sender {
  const sender = senderIn(auth)
  if (sender !== undefined) return sender
  throw new AuthError("A module sends emails. Add an email provider, with `sendAccountEmail` if its sender is your own")
}

function late(): never {
  throw new Error(`The mail service didn't answer within ${timeoutMs / 1000} seconds`)
}
