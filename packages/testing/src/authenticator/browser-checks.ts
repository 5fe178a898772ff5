import type { CreationOptions, RequestOptions } from "./messages.js"

/** What a browser and an authenticator compare with the options before they do anything. */
export interface Abilities {
  readonly origin: string
  readonly relatedRpIds: readonly string[]
  readonly residentKeys: boolean
  readonly userVerification: boolean
}

/**
 * The RP ID is the host or a parent of it, unless the RP lists the origin as related (WebAuthn Level 3 §5.1.3, step 8).
 * Public suffixes aren't checked.
 */
export function rpIdFor({ origin, relatedRpIds }: Abilities, rpId: string | undefined): string {
  const { hostname, protocol } = new URL(origin)
  const isSecure = protocol === "https:" || hostname === "localhost"
  const id = rpId ?? hostname
  const isOwn = hostname === id || hostname.endsWith(`.${id}`)
  if (isSecure && (isOwn || relatedRpIds.includes(id))) return id
  throw new DOMException(`The RP ID "${id}" isn't valid for ${origin}.`, "SecurityError")
}

/** Whether the credential becomes discoverable (WebAuthn Level 3 §5.4.4). */
export function isResident(abilities: Abilities, { authenticatorSelection = {} }: CreationOptions): boolean {
  const { requireResidentKey = false, residentKey = requireResidentKey ? "required" : "discouraged" } =
    authenticatorSelection
  if (residentKey === "required" && !abilities.residentKeys) {
    throw notAllowed("The authenticator doesn't store discoverable credentials, which the options require.")
  }
  return abilities.residentKeys && residentKey !== "discouraged"
}

export function assertUserVerification(
  abilities: Abilities,
  { userVerification }: Pick<RequestOptions, "userVerification">,
): void {
  if (userVerification !== "required" || abilities.userVerification) return
  throw notAllowed("The authenticator can't verify the user, which the options require.")
}

export function notAllowed(message: string): DOMException {
  return new DOMException(message, "NotAllowedError")
}
