import type { CryptoKey } from "jose"
import { concat, randomBytes, utf8, type Bytes } from "./bytes.js"
import { der, derInteger, derSignature, tags } from "./der.js"

type KeyPair = Awaited<ReturnType<typeof generateKeys>>

/** Certifies the attestation keys of one authenticator. */
export interface Manufacturer {
  root(): Promise<Bytes>
  /** Signs with a certified key. The certificate fits the packed format (WebAuthn Level 3 §8.2.1). */
  attest(data: Bytes): Promise<{ readonly signature: Bytes; readonly certificate: Bytes }>
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const

const objectIds = {
  country: [0x55, 0x04, 0x06],
  organization: [0x55, 0x04, 0x0a],
  unit: [0x55, 0x04, 0x0b],
  commonName: [0x55, 0x04, 0x03],
  basicConstraints: [0x55, 0x1d, 0x13],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
} as const

/** Keys are generated on first use, because few tests need certificates. */
export function createManufacturer(): Manufacturer {
  let made: ReturnType<typeof makeCertificates> | undefined
  const certificates = () => (made ??= makeCertificates())
  return {
    root: async () => (await certificates()).root,
    attest: async (data) => {
      const { leaf, leafKeys } = await certificates()
      return { signature: await sign(leafKeys, data), certificate: leaf }
    },
  }
}

async function makeCertificates(): Promise<{
  readonly root: Bytes
  readonly leaf: Bytes
  readonly leafKeys: KeyPair
}> {
  const [rootKeys, leafKeys] = await Promise.all([generateKeys(), generateKeys()])
  const issuer = nameOf("Authenticator Root", "Certificates")
  const subject = nameOf("Authenticator", "Authenticator Attestation")
  return {
    root: await certify({ issuer, issuerKeys: rootKeys, subject: issuer, keys: rootKeys, isAuthority: true }),
    leaf: await certify({ issuer, issuerKeys: rootKeys, subject, keys: leafKeys, isAuthority: false }),
    leafKeys,
  }
}

function generateKeys(): Promise<{ readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }> {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
}

interface Certified {
  readonly issuer: Bytes
  readonly issuerKeys: KeyPair
  readonly subject: Bytes
  readonly keys: KeyPair
  readonly isAuthority: boolean
}

/** RFC 5280 §4.1. */
async function certify({ issuer, issuerKeys, subject, keys, isAuthority }: Certified): Promise<Bytes> {
  const signatureAlgorithm = der(tags.sequence, objectId(objectIds.ecdsaWithSha256))
  const unsigned = der(
    tags.sequence,
    der(tags.version, derInteger(Uint8Array.of(2))),
    derInteger(randomBytes(8)),
    signatureAlgorithm,
    issuer,
    der(tags.sequence, der(tags.utcTime, utf8("200101000000Z")), der(tags.utcTime, utf8("491231235959Z"))),
    subject,
    new Uint8Array(await crypto.subtle.exportKey("spki", keys.publicKey)),
    der(tags.extensions, der(tags.sequence, basicConstraints(isAuthority))),
  )
  const signature = der(tags.bitString, Uint8Array.of(0), await sign(issuerKeys, unsigned))
  return der(tags.sequence, unsigned, signatureAlgorithm, signature)
}

async function sign({ privateKey }: KeyPair, data: Bytes): Promise<Bytes> {
  return derSignature(new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, data)))
}

function basicConstraints(isAuthority: boolean): Bytes {
  const yes = der(tags.boolean, Uint8Array.of(0xff))
  const content = isAuthority ? der(tags.sequence, yes) : der(tags.sequence)
  return der(tags.sequence, objectId(objectIds.basicConstraints), yes, der(tags.octetString, content))
}

function nameOf(commonName: string, unit: string): Bytes {
  const part = (id: readonly number[], tag: number, text: string) =>
    der(tags.set, der(tags.sequence, objectId(id), der(tag, utf8(text))))
  return der(
    tags.sequence,
    part(objectIds.country, tags.printableString, "US"),
    part(objectIds.organization, tags.utf8String, "Test Kit"),
    part(objectIds.unit, tags.utf8String, unit),
    part(objectIds.commonName, tags.utf8String, commonName),
  )
}

function objectId(bytes: readonly number[]): Bytes {
  return der(tags.objectId, Uint8Array.from(bytes))
}

export function pemOf(certificate: Bytes): string {
  const lines =
    Buffer.from(concat(certificate))
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n")
}
