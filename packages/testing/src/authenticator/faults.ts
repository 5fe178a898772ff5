import { concat, fromBase64url, randomBytes, base64url } from "./bytes.js"
import type { AuthenticatorData, AuthenticatorFault, ClientData } from "./fault.js"

/** The names of the built-in faults of an authenticator. */
export type AuthenticatorFaultName =
  | ClientDataFault
  | AuthenticatorDataFault
  | CredentialFault
  | AttestationFault
  | AuthenticationFault

export type ClientDataFault =
  | "wrongType"
  | "wrongChallenge"
  | "emptyChallenge"
  | "wrongOrigin"
  | "plainHttpOrigin"
  | "originWithPort"
  | "originOfSubdomain"
  | "crossOrigin"
  | "foreignTopOrigin"
  | "topOriginAlone"
  | "clientDataNotJson"

export type AuthenticatorDataFault =
  | "wrongRpIdHash"
  | "noUserPresence"
  | "noUserVerification"
  | "sameCounter"
  | "lowerCounter"
  | "zeroCounter"
  | "backupEligibilityFlipped"
  | "backedUpWithoutEligibility"
  | "truncatedAuthenticatorData"
  | "paddedAuthenticatorData"

export type CredentialFault =
  | "noCredentialData"
  | "emptyCredentialId"
  | "longCredentialId"
  | "unsupportedAlgorithm"
  | "otherCredentialId"
  | "idUnlikeRawId"

export type AttestationFault =
  | "unknownAttestationFormat"
  | "statementInNoneAttestation"
  | "rootInCertificateChain"
  | "truncatedAttestation"
  | "garbageAttestation"
  | "deepAttestation"
  | "oversizedAttestation"

export type AuthenticationFault =
  | "badSignature"
  | "emptySignature"
  | "unknownCredential"
  | "otherUserHandle"
  | "noUserHandle"

function withClientData(change: (data: ClientData) => object): AuthenticatorFault {
  return { clientData: (data) => ({ ...data, ...change(data) }) }
}

function withOrigin(change: (origin: URL) => void): AuthenticatorFault {
  return withClientData(({ origin }) => {
    const url = new URL(origin)
    change(url)
    return { origin: url.origin }
  })
}

function withData(change: (data: AuthenticatorData) => Partial<AuthenticatorData>): AuthenticatorFault {
  return { authenticatorData: (data) => ({ ...data, ...change(data) }) }
}

type NewCredential = NonNullable<AuthenticatorData["credential"]>

function withCredential(change: (credential: NewCredential) => Partial<NewCredential>): AuthenticatorFault {
  return withData(({ credential }) =>
    credential === undefined ? {} : { credential: { ...credential, ...change(credential) } },
  )
}

/** Changes the ID in the response of either ceremony, and not in the authenticator data. */
function withId(change: (id: string) => { readonly id?: string; readonly rawId?: string }): AuthenticatorFault {
  return {
    registration: (response) => ({ ...response, ...change(response.id) }),
    authentication: (response) => ({ ...response, ...change(response.id) }),
  }
}

const another = base64url(new TextEncoder().encode("another-value-of-32-bytes-length"))

const clientDataFaults: Readonly<Record<ClientDataFault, AuthenticatorFault>> = {
  wrongType: withClientData(({ type }) => ({
    type: type === "webauthn.create" ? "webauthn.get" : "webauthn.create",
  })),
  wrongChallenge: withClientData(() => ({ challenge: another })),
  emptyChallenge: withClientData(() => ({ challenge: "" })),
  wrongOrigin: withClientData(() => ({ origin: "https://evil.test" })),
  plainHttpOrigin: withOrigin((url) => {
    url.protocol = "http:"
  }),
  originWithPort: withOrigin((url) => {
    url.port = "8443"
  }),
  originOfSubdomain: withOrigin((url) => {
    url.hostname = `user-content.${url.hostname}`
  }),
  crossOrigin: withClientData(() => ({ crossOrigin: true })),
  foreignTopOrigin: withClientData(() => ({ crossOrigin: true, topOrigin: "https://evil.test" })),
  topOriginAlone: withClientData(() => ({ topOrigin: "https://evil.test" })),
  clientDataNotJson: { clientDataJSON: (text) => text.slice(0, -1) },
}

const authenticatorDataFaults: Readonly<Record<AuthenticatorDataFault, AuthenticatorFault>> = {
  wrongRpIdHash: withData(() => ({ rpId: "evil.test" })),
  noUserPresence: withData(() => ({ userPresent: false })),
  noUserVerification: withData(() => ({ userVerified: false })),
  /** The counter of the previous signature, as if the authenticator was cloned. */
  sameCounter: withData(({ counter }) => ({ counter: Math.max(counter - 1, 0) })),
  lowerCounter: withData(({ counter }) => ({ counter: Math.max(counter - 2, 0) })),
  zeroCounter: withData(() => ({ counter: 0 })),
  backupEligibilityFlipped: withData(({ backupEligible, backedUp }) => ({
    backupEligible: !backupEligible,
    backedUp: backedUp && !backupEligible,
  })),
  backedUpWithoutEligibility: withData(() => ({ backupEligible: false, backedUp: true })),
  truncatedAuthenticatorData: { authenticatorBytes: (bytes) => bytes.slice(0, 36) },
  paddedAuthenticatorData: { authenticatorBytes: (bytes) => concat(bytes, Uint8Array.of(0)) },
}

const credentialFaults: Readonly<Record<CredentialFault, AuthenticatorFault>> = {
  noCredentialData: {
    authenticatorData: (attested) => {
      const { credential: _, ...data } = attested
      return data
    },
  },
  emptyCredentialId: withCredential(() => ({ id: new Uint8Array() })),
  /** One byte more than the maximum (WebAuthn Level 3 §7.1, step 25). */
  longCredentialId: withCredential(() => ({ id: randomBytes(1024) })),
  /** ES256K, which the options don't list. */
  unsupportedAlgorithm: withCredential(({ publicKey }) => ({ publicKey: new Map([...publicKey, [3, -47]]) })),
  otherCredentialId: withId(() => ({ id: another, rawId: another })),
  idUnlikeRawId: withId(() => ({ rawId: another })),
}

const attestationFaults: Readonly<Record<AttestationFault, AuthenticatorFault>> = {
  unknownAttestationFormat: { attestation: async (statement) => ({ ...statement, format: "unknown" }) },
  statementInNoneAttestation: {
    attestation: async () => ({ format: "none", algorithm: -7, signature: randomBytes(70) }),
  },
  /** The root is sent along, which must not make it trusted. Needs `attestation: "certificate"`. */
  rootInCertificateChain: {
    attestation: async ({ x5c = [], ...statement }, root) => ({ ...statement, x5c: [...x5c, await root()] }),
  },
  truncatedAttestation: { attestationBytes: (bytes) => bytes.slice(0, bytes.length / 2) },
  garbageAttestation: { attestationBytes: () => randomBytes(200) },
  /** 20,000 nested lists. */
  deepAttestation: { attestationBytes: () => concat(new Uint8Array(20_000).fill(0x81), Uint8Array.of(0)) },
  /** 2 MB. */
  oversizedAttestation: { attestationBytes: (bytes) => concat(bytes, new Uint8Array(2 << 20)) },
}

const authenticationFaults: Readonly<Record<AuthenticationFault, AuthenticatorFault>> = {
  /** The signature of other data, in the correct format. Also changes the signature of an attestation. */
  badSignature: { signature: (bytes) => bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1) },
  emptySignature: { signature: () => new Uint8Array() },
  /** A credential that no server knows. */
  unknownCredential: {
    authentication: (response) => {
      const id = base64url(randomBytes(fromBase64url(response.id).length))
      return { ...response, id, rawId: id }
    },
  },
  otherUserHandle: {
    authentication: (answer) => ({ ...answer, response: { ...answer.response, userHandle: another } }),
  },
  noUserHandle: {
    authentication: (answer) => {
      const { userHandle: _, ...response } = answer.response
      return { ...answer, response }
    },
  },
}

/**
 * Built-in faults of an authenticator by name. Some change only registrations, some only authentications.
 *
 * @example
 * ```ts
 * import { authenticatorFaults, createAuthenticator } from "@latchkey/testing"
 * const authenticator = createAuthenticator({ faults: authenticatorFaults.wrongOrigin })
 * ```
 */
export const authenticatorFaults: Readonly<Record<AuthenticatorFaultName, AuthenticatorFault>> = {
  ...clientDataFaults,
  ...authenticatorDataFaults,
  ...credentialFaults,
  ...attestationFaults,
  ...authenticationFaults,
}
