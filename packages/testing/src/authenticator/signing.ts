import { base64url, concat, sha256, utf8, type Bytes } from "./bytes.js"
import { encodeAuthenticatorData } from "./encoding.js"
import type { AuthenticatorData, ClientData } from "./fault.js"
import type { AuthenticatorState } from "./state.js"
import { withFaults } from "./state.js"

/** What an authenticator signs, after the faults. */
export interface Signable {
  readonly clientDataJSON: string
  readonly data: AuthenticatorData
  readonly authenticatorData: Bytes
  /** The authenticator data and the hash of the client data (WebAuthn Level 3 §6.3.3). */
  readonly toSign: Bytes
}

export async function prepare(
  { faults }: AuthenticatorState,
  clientData: ClientData,
  correct: AuthenticatorData,
): Promise<Signable> {
  const changed = faults.reduce<object>(
    (value, { clientData: change }) => change?.(value as ClientData) ?? value,
    clientData,
  )
  const clientDataJSON = withFaults(
    JSON.stringify(changed),
    faults.map((fault) => fault.clientDataJSON),
  )
  const data = withFaults(
    correct,
    faults.map((fault) => fault.authenticatorData),
  )
  const encoded: Uint8Array = await encodeAuthenticatorData(data)
  const authenticatorData = concat(
    withFaults(
      encoded,
      faults.map((fault) => fault.authenticatorBytes),
    ),
  )
  const clientBytes = utf8(clientDataJSON)
  return {
    clientDataJSON: base64url(clientBytes),
    data,
    authenticatorData,
    toSign: concat(authenticatorData, await sha256(clientBytes)),
  }
}

export function faultySignature({ faults }: AuthenticatorState, signature: Uint8Array): Uint8Array {
  return withFaults(
    signature,
    faults.map((fault) => fault.signature),
  )
}
