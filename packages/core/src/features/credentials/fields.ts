import { CredentialsSignin } from "../../errors.js"
import { repeatedIn } from "../../http/auth-request.js"
import { maxCredential, maxCredentials, maxIdentifiers, maxStrictCredential } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { CredentialsProvider } from "../../model/credentials-provider.js"
import type { AuthRequest } from "../../model/http.js"
import { normalIdentifier } from "../../limits/one-spelling.js"
import { isSecretField, isUsual, leadOf } from "./identifying-fields.js"

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

type Typed = Readonly<Record<string, unknown>>

/**
 * The accounts that credentials may be for: the result of the provider's `identifier`, otherwise every field with a usual name
 * or with an email, declared or not, since `authorize` may use any of them and an attacker could fill the others at random. A
 * form that declares no usual name also has its first visible field. No field that is sent keeps another one from counting.
 *
 * @throws CredentialsSignin
 */
export function identifiersOf(provider: CredentialsProvider, typed: Typed): readonly string[] {
  const { id, identifier } = provider
  const given = identifier === undefined ? likelyNames(provider, typed) : [identifier(typed) ?? ""]
  const names = new Set(given.map(normalIdentifier).filter((name) => name !== ""))
  return [...names].map((name) => `${id} ${name}`)
}

/**
 * What a browser becomes a known device for: exactly what was typed, except for the password. An attacker could otherwise
 * sign in as `ádá`, or with the name of the victim in a field that `authorize` doesn't use, to be known for the victim.
 */
export function deviceNamesOf(provider: CredentialsProvider, typed: Typed): readonly string[] {
  const { id, identifier } = provider
  const identifiers = identifiersOf(provider, typed)
  if (identifiers.length === 0) return []
  if (identifier !== undefined) return [`${id} ${identifier(typed)}`]
  const fields = Object.entries(typed).filter(([name, value]) => !isSecretField(provider, name) && value !== "")
  return [`${id} ${JSON.stringify([identifiers, fields.toSorted(([one], [other]) => (one < other ? -1 : 1))])}`]
}

function likelyNames(provider: CredentialsProvider, typed: Typed): readonly string[] {
  const declared = Object.keys(provider.credentials)
  const lead = declared.some(isUsual) ? undefined : leadOf(provider)
  const names = Object.entries(typed).flatMap(([field, value]) => {
    const text = plain(value)
    const isName = field === lead || isUsual(field) || (!isSecretField(provider, field) && isEmail(text))
    return isName && text !== "" ? [text] : []
  })
  // One request must not use up the limits of many users, nor ask the store many times.
  if (names.length <= maxIdentifiers) return names
  throw new CredentialsSignin(`The form names the user in more than ${maxIdentifiers} fields. Send fewer`)
}

/** In any spelling that a database may know. */
function isEmail(text: string): boolean {
  if (!/[@\uFE6B\uFF20]/.test(text)) return false
  const [, domain, ...more] = normalIdentifier(text).split("@")
  return domain?.includes(".") === true && more.length === 0
}

/** The text that JavaScript makes of a value: `["ada"]` in JSON is another spelling of `ada`. */
function plain(value: unknown): string {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return Array.isArray(value) ? value.map(plain).join() : ""
}
