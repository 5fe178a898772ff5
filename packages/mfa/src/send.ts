import type { Context } from "./context.js"
import type { MfaOptions, SentMethod } from "./options.js"
import type { FactorRecord } from "./records.js"
import { countSms, type Purpose } from "./sms-limits.js"

interface Owned {
  readonly factor: FactorRecord
  /** What the user proved to sign in (RFC 8176). */
  readonly amr: readonly string[]
}

/**
 * The methods of a user whose codes can be sent now. A mailbox or a phone that is the first factor can't be the second one, too
 * (OWASP ASVS 6.6.2).
 */
export function sendable(options: MfaOptions, { canMail }: Context, { factor, amr }: Owned): readonly SentMethod[] {
  const canSend = { email: canMail && options.email !== false, sms: options.sms !== undefined }
  const own = (["email", "sms"] as const).filter((method) => canSend[method] && factor[method] !== undefined)
  return own.filter((method) => !amr.includes(method))
}

interface Message {
  readonly userId: string
  readonly method: SentMethod
  readonly to: string
  readonly code: string
  readonly purpose: Purpose
}

/** `false`: it couldn't be sent, or too many were. What is sent to a number is limited here, and what is sent to an email in core. */
export async function send(
  { sms }: MfaOptions,
  context: Context,
  { userId, method, to, code, purpose }: Message,
): Promise<boolean> {
  const { text } = context
  try {
    if (method === "sms") {
      await countSms(context, { purpose, to, userId })
      await sms?.send({ to, code, text: text("smsCode", { app: context.app, code }) })
    } else {
      const subject = text("mailCode", { app: context.app })
      const letter = { subject, heading: subject, text: text("mailCodeText"), code: { label: text("code"), code } }
      await context.mail({ to, ...letter, closing: [text("mailNotYou")] })
    }
    await context.emit("code-sent", { id: userId }, { data: { method } })
    return true
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : "unknown"
    await context.emit("code-sent", { id: userId }, { outcome: "failure", reason, data: { method } })
    return false
  }
}
