import { CredentialsSignin } from "../../errors.js"
import { maxCredential, maxCredentials, maxStrictCredential } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { CredentialsProvider } from "../../model/credentials-provider.js"
import type { AuthRequest } from "../../model/http.js"

/** Fields of the built-in forms and clients. The rest is what the user typed. */
const protocolFields: ReadonlySet<string> = new Set(["csrfToken", "callbackUrl", "redirect", "redirectTo", "json"])

export interface Credentials {
  /** What the user typed. */
  readonly typed: Readonly<Record<string, unknown>>
  /** What `authorize` gets. */
  readonly given: Record<string, unknown>
}

/**
 * `authorize` gets a limited number of short texts, and never an object or array: `{ "$ne": null }` as a password is an
 * operator for some databases. Under `"strict"` it gets only the fields that the provider declares. Auth.js passes the whole
 * form, and an application may use fields that it doesn't declare, or read the callback URL.
 *
 * @throws CredentialsSignin
 */
export function credentialsIn(
  { mode }: AuthContext,
  provider: CredentialsProvider,
  { body }: AuthRequest,
): Credentials {
  const typed = Object.entries(body).filter(([name]) => !protocolFields.has(name))
  if (typed.length > maxCredentials) {
    throw new CredentialsSignin(`The form has more than ${maxCredentials} fields. Send fewer`)
  }
  const isStrict = mode === "strict"
  for (const [name, value] of typed) assertPlain(name, value, isStrict)
  if (!isStrict) return { typed: Object.fromEntries(typed), given: Object.fromEntries([...protocolOf(body), ...typed]) }
  const isDeclared = declares(provider)
  const declared = Object.fromEntries(typed.filter(([name]) => isDeclared(name)))
  return { typed: declared, given: declared }
}

function protocolOf(body: AuthRequest["body"]): readonly (readonly [string, unknown])[] {
  const isPlain = (value: unknown) =>
    typeof value === "string" ? value.length <= maxCredential : typeof value !== "object"
  return Object.entries(body).filter(([name, value]) => protocolFields.has(name) && isPlain(value))
}

/** Without declared fields the application has a form of its own, so there's nothing to compare with. */
function declares({ credentials }: CredentialsProvider): (name: string) => boolean {
  const declared = new Set(Object.keys(credentials))
  return (name) => declared.size === 0 || declared.has(name)
}

/** JSON may contain numbers and `null`, and an application that works with Auth.js may expect them. */
function assertPlain(name: string, value: unknown, isStrict: boolean): void {
  const field = JSON.stringify(name.slice(0, 100))
  if (typeof value === "string") {
    const max = isStrict ? maxStrictCredential : maxCredential
    if (value.length <= max) return
    throw new CredentialsSignin(`The field ${field} has more than ${max} characters. Send a shorter text`)
  }
  if (isStrict || (typeof value === "object" && value !== null) || typeof value === "function") {
    throw new CredentialsSignin(`The field ${field} isn't text. Send each field as a string`)
  }
}
