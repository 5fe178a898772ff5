import { MissingAdapter } from "../errors.js"
import { standsIn } from "../model/symbols.js"
import type { GetUserInfo, WebAuthnConfig } from "../model/webauthn-provider.js"

/** Finds the user by the field `email`, exactly as it's typed. */
const findByEmail: GetUserInfo = async ({ adapter }, { method, body, query }) => {
  const email = (method === "POST" ? body : query)?.["email"]
  if (typeof email !== "string" || email === "") return null
  if (adapter?.getUserByEmail === undefined) throw new MissingAdapter("Passkeys need an adapter. Set `adapter`")
  const user = await adapter.getUserByEmail(email)
  return user ? { user, exists: true } : { user: { email }, exists: false }
}

export const getUserInfo: GetUserInfo = Object.assign(findByEmail, { [standsIn]: true })

/** The first of each configured value, otherwise the site of the request. */
export const getRelayingParty: NonNullable<WebAuthnConfig["getRelayingParty"]> = ({ provider, url }) => {
  const { id, name, origin } = provider.relayingParty ?? {}
  return { id: first(id) ?? url.hostname, name: first(name) ?? url.host, origin: first(origin) ?? url.origin }
}

function first(given: string | readonly string[] | undefined): string | undefined {
  return [given ?? []].flat()[0]
}

/** The application's own function. The engine does what the defaults do, and more, without them. */
export function customOf({ getUserInfo: info, getRelayingParty: party }: WebAuthnConfig): {
  readonly getUserInfo: GetUserInfo | undefined
  readonly getRelayingParty: WebAuthnConfig["getRelayingParty"]
} {
  return {
    getUserInfo: info === getUserInfo ? undefined : info,
    getRelayingParty: party === getRelayingParty ? undefined : party,
  }
}

/** Resident passkeys sign in without an email, so the options don't list any. */
export function requiresResident({ registrationOptions }: WebAuthnConfig): boolean {
  const { residentKey, requireResidentKey } = registrationOptions?.authenticatorSelection ?? {}
  return (residentKey ?? (requireResidentKey === true ? "required" : undefined)) === "required"
}
