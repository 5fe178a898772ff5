import { AuthError, EmailSignInError } from "../errors.js"
import { toRequest } from "../http/auth-request.js"
import { consumeAttempt } from "../limits/attempts.js"
import { emailIdentifier } from "../limits/one-spelling.js"
import type { AuthContext } from "../model/auth.js"
import type { EmailProvider } from "../model/email-provider.js"
import type { AuthRequest } from "../model/http.js"
import type { ModuleMail } from "../model/module-content.js"
import { within } from "../primitives/runtime.js"
import { mailLanguage } from "../signin/email-links.js"

/** Milliseconds. */
const timeoutMs = 10_000

/** @throws RateLimited or EmailSignInError */
export async function send(auth: AuthContext, request: AuthRequest, { to, ...letter }: ModuleMail): Promise<void> {
  const { provider, sendAccountEmail } = senderOf(auth)
  await consumeAttempt(auth, request, { action: "email", identifiers: () => [emailIdentifier(to)] })
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

interface Sender {
  readonly provider: EmailProvider
  readonly sendAccountEmail: NonNullable<EmailProvider["sendAccountEmail"]>
}

function senderOf({ providers }: AuthContext): Sender {
  for (const provider of providers.values()) {
    if (provider.type !== "email" || provider.sendAccountEmail === undefined) continue
    return { provider, sendAccountEmail: provider.sendAccountEmail }
  }
  throw new AuthError("A module sends emails. Add an email provider, with `sendAccountEmail` if its sender is your own")
}

function late(): never {
  throw new Error(`The mail service didn't answer within ${timeoutMs / 1000} seconds`)
}
