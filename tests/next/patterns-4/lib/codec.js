// A session as a JWT that other services of the company can read, in place of the encrypted one.
const bytes = (text) => new TextEncoder().encode(text)
const toText = (part) => Buffer.from(part).toString("base64url")
const keyOf = (secret) =>
  crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"])

export async function encode({ token = {}, secret, maxAge = 3600 }) {
  const now = Math.floor(Date.now() / 1000)
  const claims = { ...token, iat: now, exp: now + maxAge }
  const body = [{ alg: "HS256", typ: "JWT" }, claims].map((part) => toText(JSON.stringify(part))).join(".")
  return `${body}.${toText(await crypto.subtle.sign("HMAC", await keyOf(secret), bytes(body)))}`
}

export async function decode({ token = "", secret }) {
  const [head, claims = "", mac = ""] = token.split(".")
  const signed = bytes(`${head}.${claims}`)
  const isValid = await crypto.subtle.verify("HMAC", await keyOf(secret), Buffer.from(mac, "base64url"), signed)
  if (!isValid) return null
  const read = JSON.parse(Buffer.from(claims, "base64url").toString())
  return read.exp > Date.now() / 1000 ? read : null
}
