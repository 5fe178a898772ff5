import { base64url, concat, randomBytes, type Bytes } from "./bytes.js"
import { assertUserVerification, isResident, notAllowed, rpIdFor } from "./browser-checks.js"
import { encodeAttestation } from "./encoding.js"
import type { AttestationStatement } from "./fault.js"
import { type CredentialKey, algorithmId, generateCredentialKey } from "./keys.js"
import type { CreationOptions, RegistrationResponse } from "./messages.js"
import { faultySignature, prepare, type Signable } from "./signing.js"
import { type AuthenticatorState, authenticatorData, type Credential, withFaults } from "./state.js"

/** All zeros: authenticators without attestation don't tell their model (WebAuthn Level 3 §5.1.3, step 22). */
const aaguid = new Uint8Array(16)

/** WebAuthn Level 3 §5.1.3 and §6.3.2. */
export async function createCredential(
  state: AuthenticatorState,
  creation: CreationOptions,
  origin: string,
): Promise<RegistrationResponse> {
  const { faults } = state
  const abilities = { ...state.options, origin }
  const rpId = rpIdFor(abilities, creation.rp.id)
  const resident = isResident(abilities, creation)
  assertUserVerification(abilities, creation.authenticatorSelection ?? {})
  assertCreatable(state, creation, rpId)

  const key = await generateCredentialKey(state.options.algorithm)
  const id = randomBytes(32)
  const correct = { ...authenticatorData(state, rpId, 0), credential: { aaguid, id, publicKey: key.publicKey } }
  const { challenge } = creation
  const signable = await prepare(state, { type: "webauthn.create", challenge, origin, crossOrigin: false }, correct)
  const credential = {
    id: base64url(signable.data.credential?.id ?? id),
    rpId,
    userId: creation.user.id,
    userName: creation.user.name,
    resident,
    counter: correct.counter,
    key,
  }
  const attestation = await attestationObject(state, signable, key)
  state.credentials = [...state.credentials.filter((other) => !replaces(credential, other)), credential]
  return withFaults(
    responseOf(state, credential, signable, attestation),
    faults.map((fault) => fault.registration),
  )
}

function responseOf(
  { options: { transports } }: AuthenticatorState,
  { id, key }: Credential,
  { clientDataJSON, authenticatorData }: Signable,
  attestationObject: Uint8Array,
): RegistrationResponse {
  return {
    id,
    rawId: id,
    type: "public-key",
    authenticatorAttachment: transports.includes("internal") ? "platform" : "cross-platform",
    clientExtensionResults: {},
    response: {
      clientDataJSON,
      attestationObject: base64url(attestationObject),
      authenticatorData: base64url(authenticatorData),
      transports: [...transports],
      publicKeyAlgorithm: key.algorithm,
      publicKey: base64url(key.spki),
    },
  }
}

function assertCreatable(
  { credentials, options }: AuthenticatorState,
  { excludeCredentials = [], pubKeyCredParams }: CreationOptions,
  rpId: string,
): void {
  if (credentials.some((own) => own.rpId === rpId && excludeCredentials.some(({ id }) => id === own.id))) {
    throw new DOMException("The authenticator already has a credential that the options exclude.", "InvalidStateError")
  }
  if (!pubKeyCredParams.some(({ alg }) => alg === algorithmId(options.algorithm))) {
    throw notAllowed(`The options don't allow the algorithm ${options.algorithm}.`)
  }
}

/** A discoverable credential replaces the one of the same user (WebAuthn Level 3 §6.3.2, step 7). */
function replaces(created: Credential, other: Credential): boolean {
  return created.resident && other.resident && created.rpId === other.rpId && created.userId === other.userId
}

async function attestationObject(state: AuthenticatorState, signable: Signable, key: CredentialKey): Promise<Bytes> {
  const { faults, manufacturer } = state
  let statement = await statementOf(state, signable, key)
  for (const { attestation } of faults) {
    statement = (await attestation?.(statement, () => manufacturer.root())) ?? statement
  }
  const bytes: Uint8Array = encodeAttestation(statement, signable.authenticatorData)
  return concat(
    withFaults(
      bytes,
      faults.map((fault) => fault.attestationBytes),
    ),
  )
}

async function statementOf(
  state: AuthenticatorState,
  { toSign }: Signable,
  key: CredentialKey,
): Promise<AttestationStatement> {
  const { options, manufacturer } = state
  if (options.attestation === "none") return { format: "none" }
  if (options.attestation === "self") {
    return { format: "packed", algorithm: key.algorithm, signature: faultySignature(state, await key.sign(toSign)) }
  }
  const { signature, certificate } = await manufacturer.attest(toSign)
  return {
    format: "packed",
    algorithm: algorithmId("ES256"),
    signature: faultySignature(state, signature),
    x5c: [certificate],
  }
}
