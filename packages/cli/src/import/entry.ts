import { Failure } from "../failure.js"
import type { FirebaseParameters } from "./firebase.js"
import { isObject, type Line } from "./lines.js"

/** A user of the file. */
export interface Entry {
  readonly email: string
  /** Undefined: the user has no password, for example because they sign in with Google. */
  readonly hash: string | undefined
  readonly isVerified: boolean
  readonly name: string | undefined
}

/** What is wrong with an entry. It quotes nothing of it. */
export class Refusal extends Error {}

type Fields = Line["fields"]

/**
 * Reads an entry with the columns `email` and `hash`, or as Auth0, Clerk, Firebase and Supabase export it.
 *
 * @throws Refusal
 * @throws Failure if it needs the parameters of Firebase
 */
export function entryIn({ fields }: Line, firebase: FirebaseParameters | undefined): Entry {
  if (isClosed(fields)) throw new Refusal("The user is blocked, disabled or deleted in the other system")
  const identifier = auth0Identifier(fields)
  const email = textIn(fields, "email", "Email", "primary_email_address") ?? textIn(identifier, "value")
  if (email === undefined) throw new Refusal("There is no email")
  return {
    email,
    hash: hashIn(fields, firebase),
    isVerified: isVerified(fields, email) || isTrue(identifier["verified"]),
    name: nameIn(fields),
  }
}

function hashIn(fields: Fields, firebase: FirebaseParameters | undefined): string | undefined {
  const hash = textIn(fields, ...hashColumns)
  const salt = textIn(fields, "salt")
  if (hash === undefined || salt === undefined || hash.startsWith("$")) return hash
  if (firebase === undefined)
    throw new Failure(
      "These are hashes of Firebase, which need its parameters. Copy them from the Firebase console (Authentication, Users, Password hash parameters) into a file, and pass it with --firebase-parameters.",
    )
  const { memCost, rounds, separator, signerKey } = firebase
  return `$fbscrypt$v=1,n=${memCost},r=${rounds},p=1${separator === "" ? "" : `,ss=${separator}`},sk=${signerKey}$${salt}$${hash}`
}

/** Of a file of your own, Auth0 and Firebase, Clerk, and Supabase. */
const hashColumns = ["hash", "password_hash", "passwordHash", "password_digest", "encrypted_password"]

function isClosed(fields: Fields): boolean {
  const isBanned = textIn(fields, "banned_until", "deleted_at") !== undefined
  return isBanned || ["disabled", "blocked", "banned"].some((name) => isTrue(fields[name]))
}

function isVerified(fields: Fields, email: string): boolean {
  if (isTrue(fields["email_verified"]) || isTrue(fields["emailVerified"])) return true
  if (textIn(fields, "email_confirmed_at") !== undefined) return true
  const listed = fields["verified_email_addresses"]
  const addresses = Array.isArray(listed) ? listed : typeof listed === "string" ? listed.split(/[|,;\s]+/) : []
  return addresses.includes(email)
}

/** Some users of an export of Auth0 have the email only there. */
function auth0Identifier({ identifiers }: Fields): Fields {
  const list: readonly unknown[] = Array.isArray(identifiers) ? identifiers : []
  return list.filter(isObject).find(({ type }) => type === "email") ?? {}
}

function nameIn(fields: Fields): string | undefined {
  const whole = textIn(fields, "name", "displayName", "display_name")
  if (whole !== undefined) return whole
  const parts = [textIn(fields, "first_name"), textIn(fields, "last_name")].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(" ")
}

/** The first of these columns that isn't empty. */
function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  const values = names.map((name) => fields[name])
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "" && value !== "NULL")
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(?:true|t|1|yes)$/i.test(value))
}
