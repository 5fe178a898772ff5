import { CredentialsSignin } from "../../errors.js"
import { repeatedIn } from "../../http/auth-request.js"
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
 * operator for some databases. Under `"strict"` it gets only the fields that the provider declares, each once. Auth.js passes
 * the whole form with the last of repeated values, and an application may use fields that it doesn't declare, or read the
 * callback URL.
 *
 * @throws CredentialsSignin
 */
export function credentialsIn(
  { rules }: AuthContext,
  provider: CredentialsProvider,
  request: AuthRequest,
): Credentials {
  const { body } = request
  const { declaredParams: isStrict } = rules
  const repeated = repeatedIn(request)
  const typed = Object.entries(body).flatMap(([name, value]) =>
    protocolFields.has(name) ? [] : [[name, repeated.has(name) ? lastOf(value) : value] as const],
  )
  if (typed.length > maxCredentials) {
    throw new CredentialsSignin(`The form has more than ${maxCredentials} fields. Send fewer`)
  }
  for (const [name, value] of typed) {
    if (isStrict && repeated.has(name)) throw refused(name, "is there more than once. Send it once")
    assertPlain(name, value, isStrict)
  }
  if (!isStrict) return { typed: Object.fromEntries(typed), given: Object.fromEntries([...protocolOf(body), ...typed]) }
  const declared = Object.fromEntries(typed.filter(([name]) => Object.hasOwn(provider.credentials, name)))
  return { typed: declared, given: declared }
}

/** A form keeps the values of a repeated email as an array. */
function lastOf(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value
}

function protocolOf(body: AuthRequest["body"]): readonly (readonly [string, unknown])[] {
  const isPlain = (value: unknown) =>
    typeof value === "string" ? value.length <= maxCredential : typeof value !== "object"
  return Object.entries(body).filter(([name, value]) => protocolFields.has(name) && isPlain(value))
}

/** JSON may contain numbers and `null`, and an application that works with Auth.js may expect them. */
function assertPlain(name: string, value: unknown, isStrict: boolean): void {
  if (typeof value === "string") {
    const max = isStrict ? maxStrictCredential : maxCredential
    if (value.length <= max) return
    throw refused(name, `has more than ${max} characters. Send a shorter text`)
  }
  if (isStrict || (typeof value === "object" && value !== null) || typeof value === "function") {
    throw refused(name, "isn't text. Send each field as a string")
  }
}

function refused(field: string, problem: string): CredentialsSignin {
  return new CredentialsSignin(`The field ${JSON.stringify(field.slice(0, 100))} ${problem}`, { field })
}
