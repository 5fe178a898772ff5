import { base64url } from "./bytes.js"
import { assertUserVerification, notAllowed, rpIdFor } from "./browser-checks.js"
import type { AuthenticationResponse, RequestOptions } from "./messages.js"
import type { CeremonyOptions } from "./model.js"
import { faultySignature, prepare } from "./signing.js"
import { type AuthenticatorState, authenticatorData, type Credential, withFaults } from "./state.js"

/** WebAuthn Level 3 §5.1.4 and §6.3.3. */
export async function signChallenge(
  state: AuthenticatorState,
  request: RequestOptions,
  { origin = state.options.origin, credential: chosen }: CeremonyOptions,
): Promise<AuthenticationResponse> {
  const abilities = { ...state.options, origin }
  const rpId = rpIdFor(abilities, request.rpId)
  assertUserVerification(abilities, request)
  const credential = choose(state, request, rpId, chosen)

  const correct = authenticatorData(state, rpId, credential.counter)
  state.credentials = state.credentials.map((own) => (own === credential ? { ...own, counter: correct.counter } : own))
  const { challenge } = request
  const signable = await prepare(state, { type: "webauthn.get", challenge, origin, crossOrigin: false }, correct)
  const response: AuthenticationResponse = {
    id: credential.id,
    rawId: credential.id,
    type: "public-key",
    authenticatorAttachment: state.options.transports.includes("internal") ? "platform" : "cross-platform",
    clientExtensionResults: {},
    response: {
      clientDataJSON: signable.clientDataJSON,
      authenticatorData: base64url(signable.authenticatorData),
      signature: base64url(faultySignature(state, await credential.key.sign(signable.toSign))),
      ...(credential.resident && { userHandle: credential.userId }),
    },
  }
  return withFaults(
    response,
    state.faults.map((fault) => fault.authentication),
  )
}

/** Without a list, only discoverable credentials fit. */
function choose(
  { credentials }: AuthenticatorState,
  { allowCredentials = [] }: RequestOptions,
  rpId: string,
  chosen: string | undefined,
): Credential {
  const fits = ({ id, resident }: Credential) =>
    allowCredentials.length === 0 ? resident : allowCredentials.some((allowed) => allowed.id === id)
  const credential = credentials.findLast(
    (own) => own.rpId === rpId && fits(own) && (chosen === undefined || own.id === chosen),
  )
  if (credential !== undefined) return credential
  throw notAllowed(`The authenticator has no credential for ${rpId} that fits the options.`)
}
