import { generateKeyPairSync, verify } from "node:crypto"
import { client, isObject } from "../facts.js"
import type { Quirk } from "../service/desk.js"

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })

/** What a developer has instead of a secret. */
export const developerKey = {
  teamId: "TEAM123456",
  keyId: "KEY1234567",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
}

/** The secret may be a JWT that the developer's key has signed for this client. */
export const clientSecretJwt: Quirk = {
  expects: (fields, { client_secret: secret }) =>
    secret !== undefined && isSigned(secret) ? { ...fields, client_secret: secret } : fields,
}

function isSigned(jwt: string): boolean {
  const [header = "", payload = "", signature = ""] = jwt.split(".")
  const [head, claims] = [header, payload].map((part) => Buffer.from(part, "base64url").toString())
  if (!claims?.startsWith("{")) return false
  const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const
  const isOurs = verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))
  const { iss, sub, aud } = Object(JSON.parse(claims))
  const { alg, kid } = Object(JSON.parse(head ?? ""))
  const said = { alg, kid, iss, sub, aud }
  const due = { alg: "ES256", kid: developerKey.keyId, iss: developerKey.teamId, sub: client.clientId }
  return (
    isOurs && isObject(said) && JSON.stringify(said) === JSON.stringify({ ...due, aud: "https://appleid.apple.com" })
  )
}
