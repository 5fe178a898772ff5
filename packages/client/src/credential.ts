import { isRecord } from "./result.js"

/** Options of the server for `navigator.credentials.create`, as the browser wants them (WebAuthn §5.1.8). */
export function creationOptions(json: object): PublicKeyCredentialCreationOptions {
  // What the server sent is checked by the browser, member by member.
  return typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"
    ? PublicKeyCredential.parseCreationOptionsFromJSON(json as PublicKeyCredentialCreationOptionsJSON)
    : (withBuffers(json) as PublicKeyCredentialCreationOptions)
}

/** The same for `navigator.credentials.get` (WebAuthn §5.1.9). */
export function requestOptions(json: object): PublicKeyCredentialRequestOptions {
  return typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function"
    ? PublicKeyCredential.parseRequestOptionsFromJSON(json as PublicKeyCredentialRequestOptionsJSON)
    : (withBuffers(json) as PublicKeyCredentialRequestOptions)
}

/** What the authenticator answered, for the server (WebAuthn §5.1). */
export function credentialJson(credential: PublicKeyCredential): unknown {
  try {
    return credential.toJSON()
  } catch {
    // Older browsers have no such method, and some password managers one that fails.
    return withText(membersOf(credential))
  }
}

/** The binary members of options, which come as base64url, at whatever depth these names stand. */
export function withBuffers(json: unknown, name?: string): unknown {
  if (Array.isArray(json)) return json.map((one) => withBuffers(one))
  if (isRecord(json)) {
    const isRp = name === "rp"
    const entries = Object.entries(json).map(([key, value]) => [key, isRp ? value : withBuffers(value, key)])
    return Object.fromEntries(entries)
  }
  return typeof json === "string" && (name === "challenge" || name === "id") ? fromBase64url(json) : json
}

/** All that is binary becomes base64url, at whatever depth. */
export function withText(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return toBase64url(value)
  if (Array.isArray(value)) return value.map(withText)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withText(one)]))
}

/** Members of a credential are getters and methods: nothing finds them by itself. */
function membersOf(credential: PublicKeyCredential): object {
  const { id, rawId, type, authenticatorAttachment } = credential
  const response = credential.response
  const answer = response instanceof AuthenticatorAttestationResponse ? attestation(response) : assertion(response)
  const clientExtensionResults = credential.getClientExtensionResults()
  return { id, rawId, type, authenticatorAttachment, clientExtensionResults, response: answer }
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

/** @throws Error if it is none */
export function fromBase64url(text: string): ArrayBuffer {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0)).buffer
}
