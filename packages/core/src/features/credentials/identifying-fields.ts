import type { CredentialsProvider } from "../../model/credentials-provider.js"

/** Usual names of a field that identifies the user, as `userName`, `user_name` or `user-name`. */
const usualName =
  /^(?:e?mail|email(?:address|id)|user(?:name|email|id|login)?|uname|uid|login(?:name|id|email)?|(?:nick|screen)?name|nick|handle|identi(?:fier|ty)|id|account(?:name|id|number)?|member(?:id)?|(?:mobile|tele)?(?:phone|tel)(?:number|no)?|mobile(?:number|no)?|msisdn)$/

/**
 * Whether the declared fields hold a secret that could be guessed, and no name of a user. The first field then counts only if
 * it's no secret: otherwise each guess would have a limit of its own.
 */
export function isOnlySecret(provider: Pick<CredentialsProvider, "credentials" | "identifier">): boolean {
  const declared = Object.keys(provider.credentials)
  if (provider.identifier !== undefined || declared.some(isUsual)) return false
  const lead = leadOf(provider)
  return (
    declared.some((field) => isSecretField(provider, field)) && (lead === undefined || isSecretField(provider, lead))
  )
}

/** Fields whose values don't say who the user is, and differ between attempts of one user. */
const secretFields = /passw|pwd|passphrase|captcha|csrf|^(?:pass|pin|otp|totp|mfa)$/i

/** Whether a field is for a secret that could be guessed. */
export function isSecretField({ credentials }: Pick<CredentialsProvider, "credentials">, name: string): boolean {
  return secretFields.test(name) || /^password$/i.test(credentials[name]?.type ?? "")
}

/** The first visible field. */
export function leadOf({ credentials: form }: Pick<CredentialsProvider, "credentials">): string | undefined {
  return Object.keys(form).find((field) => !/^(?:password|hidden)$/i.test(form[field]?.type ?? "text"))
}

export function isUsual(field: string): boolean {
  return usualName.test(field.replace(/[-_.\s]/g, "").toLowerCase())
}
