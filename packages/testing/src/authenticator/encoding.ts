import { type CBORType, encodeCBOR } from "@levischuck/tiny-cbor"
import { concat, sha256, utf8, type Bytes } from "./bytes.js"
import type { AttestationStatement, AuthenticatorData, CoseKey } from "./fault.js"

/** WebAuthn Level 3 §6.1. */
export async function encodeAuthenticatorData(data: AuthenticatorData): Promise<Bytes> {
  const { rpId, counter, credential } = data
  const tail = new DataView(new ArrayBuffer(5))
  tail.setUint8(0, flagsOf(data))
  tail.setUint32(1, counter)
  const attested = credential === undefined ? new Uint8Array() : encodeCredential(credential)
  return concat(await sha256(utf8(rpId)), new Uint8Array(tail.buffer), attested)
}

function flagsOf({ userPresent, userVerified, backupEligible, backedUp, credential }: AuthenticatorData): number {
  const flags = [
    [userPresent, 0x01],
    [userVerified, 0x04],
    [backupEligible, 0x08],
    [backedUp, 0x10],
    [credential !== undefined, 0x40],
  ] as const
  return flags.reduce((sum, [isSet, bit]) => sum + (isSet ? bit : 0), 0)
}

/** WebAuthn Level 3 §6.5.1. */
function encodeCredential({ aaguid, id, publicKey }: NonNullable<AuthenticatorData["credential"]>): Bytes {
  const length = new DataView(new ArrayBuffer(2))
  length.setUint16(0, id.length)
  return concat(aaguid, new Uint8Array(length.buffer), id, encodeKey(publicKey))
}

function encodeKey(key: CoseKey): Uint8Array {
  return encodeCBOR(new Map<number, CBORType>(key))
}

/** WebAuthn Level 3 §6.5.4. */
export function encodeAttestation(statement: AttestationStatement, authenticatorData: Bytes): Bytes {
  const { format, algorithm, signature, x5c } = statement
  const entries: [string, CBORType | undefined][] = [
    ["alg", algorithm],
    ["sig", signature],
    ["x5c", x5c === undefined ? undefined : [...x5c]],
  ]
  const object = new Map<string, CBORType>([
    ["fmt", format],
    ["attStmt", new Map<string, CBORType>(entries.filter(([, value]) => value !== undefined))],
    ["authData", authenticatorData],
  ])
  return concat(encodeCBOR(object))
}
