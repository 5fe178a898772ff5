import { isRecord } from "./result.js"

/** Whether this browser has WebAuthn. Browsers offer it only on HTTPS and on localhost. */
export function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function"
}

/**
 * Creates a passkey if `action` is `"register"`, and asks for one otherwise.
 *
 * @returns the credential as JSON text, for the `data` field of the callback
 * @throws DOMException if the user cancels or the browser refuses
 */
export async function runCeremony(
  action: unknown,
  options: object,
  how: Pick<CredentialRequestOptions, "mediation"> & { readonly signal: AbortSignal },
): Promise<string> {
  const credential =
    action === "register"
      ? await navigator.credentials.create({ publicKey: creationOptions(options), signal: how.signal })
      : await navigator.credentials.get({ publicKey: requestOptions(options), ...how })
  // With `publicKey`, both methods return a `PublicKeyCredential` or throw.
  return JSON.stringify(credentialJson(credential as PublicKeyCredential))
}

/** Converts the server's options for `navigator.credentials.create` (WebAuthn Level 3 §5.1.8). */
export function creationOptions(json: object): PublicKeyCredentialCreationOptions {
  // The browser validates every member.
  return typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"
    ? PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON)
    : (withBuffers(json) as PublicKeyCredentialCreationOptions)
}

/** Converts the server's options for `navigator.credentials.get` (WebAuthn Level 3 §5.1.9). */
export function requestOptions(json: object): PublicKeyCredentialRequestOptions {
  return typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function"
    ? PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON)
    : (withBuffers(json) as PublicKeyCredentialRequestOptions)
}

/** Converts a credential to JSON for the server (WebAuthn Level 3 §5.1). */
export function credentialJson(credential: PublicKeyCredential): unknown {
  try {
    return credential.toJSON()
  } catch {
    // Older browsers don't have `toJSON`, and some password managers replace it with one that throws.
    return withText(membersOf(credential))
  }
}

/** Decodes `challenge` and `id`, the base64url members of the options, at any depth. `rp.id` is a domain, not binary. */
export function withBuffers(json: unknown, name?: string): unknown {
  if (Array.isArray(json)) return json.map((one) => withBuffers(one))
  if (isRecord(json)) {
    const isRp = name === "rp"
    const entries = Object.entries(json).map(([key, value]) => [key, isRp ? value : withBuffers(value, key)])
    return Object.fromEntries(entries)
  }
  return typeof json === "string" && (name === "challenge" || name === "id") ? fromBase64url(json) : json
}

/** Encodes every `ArrayBuffer` as base64url, at any depth. */
export function withText(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return toBase64url(value)
  if (Array.isArray(value)) return value.map(withText)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withText(one)]))
}

/** The members of a credential are getters on its prototype, so they have to be named. */
function membersOf(credential: PublicKeyCredential): object {
  const { id, rawId, type, authenticatorAttachment } = credential
  const response = credential.response
  const responseJson =
    response instanceof AuthenticatorAttestationResponse ? attestation(response) : assertion(response)
  const clientExtensionResults = credential.getClientExtensionResults()
  return { id, rawId, type, authenticatorAttachment, clientExtensionResults, response: responseJson }
}

function attestation(response: AuthenticatorAttestationResponse): object {
  const { clientDataJSON, attestationObject } = response
  return { clientDataJSON, attestationObject, transports: response.getTransports() }
}

function assertion(response: AuthenticatorResponse): object {
  const { clientDataJSON } = response
  if (!(response instanceof AuthenticatorAssertionResponse)) return { clientDataJSON }
  const { authenticatorData, signature, userHandle } = response
  return { clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? undefined }
}

/** RFC 4648 §5, without padding. */
export function toBase64url(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("")
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/** @throws DOMException if `text` isn't base64url */
export function fromBase64url(text: string): ArrayBuffer {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0)).buffer
}
