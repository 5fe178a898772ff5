import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  randomUUID,
} from "node:crypto"

// What the limit needs of tokens and cookies.

const longestCookie = 3936
export const attributes = "; Path=/; HttpOnly; Secure; SameSite=Lax"

export const seconds = () => Date.now() / 1000
export const sha256 = (text) => createHash("sha256").update(text).digest("hex")

const pool = Buffer.alloc(4096)
let drawn = pool.length

/** Random bytes. Each is used once. */
export function random(bytes) {
  if (drawn + bytes > pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += bytes
  return Buffer.from(pool.subarray(drawn - bytes, drawn))
}

/** Tokens for one purpose: `header..iv.ciphertext.tag` with A256GCM, as Latchkey seals them. */
class Sealer {
  constructor(ownSecret, purpose) {
    this.key = createSecretKey(Buffer.from(hkdfSync("sha256", ownSecret, purpose, "limit", 32)))
    const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString("base64url")
    this.start = `${header}..`
    this.header = Buffer.from(header)
  }

  seal(claims, maxAge) {
    const now = Math.floor(seconds())
    const iv = random(12)
    const cipher = createCipheriv("aes-256-gcm", this.key, iv).setAAD(this.header)
    const text = JSON.stringify({ ...claims, iat: now, exp: now + maxAge, jti: randomUUID() })
    const ciphertext = cipher.update(text, "utf8", "base64url") + cipher.final("base64url")
    return `${this.start}${iv.toString("base64url")}.${ciphertext}.${cipher.getAuthTag().toString("base64url")}`
  }

  /** @returns the claims; `undefined` for a token that was changed or has expired */
  open(token) {
    const { start } = this
    const dot = start.length + 16
    const last = token.length - 23
    if (!token.startsWith(start) || token[dot] !== "." || token[last] !== ".") return undefined
    const iv = Buffer.from(token.slice(start.length, dot), "base64url")
    const decipher = createDecipheriv("aes-256-gcm", this.key, iv, { authTagLength: 16 })
      .setAAD(this.header)
      .setAuthTag(Buffer.from(token.slice(last + 1), "base64url"))
    const text = decipher.update(Buffer.from(token.slice(dot + 1, last), "base64url"))
    try {
      decipher.final()
    } catch {
      return undefined
    }
    const claims = JSON.parse(text.toString())
    return claims.exp > seconds() ? claims : undefined
  }
}

const sealers = new Map()
export function sealerOf(ownSecret, purpose) {
  const key = `${purpose} ${ownSecret}`
  if (!sealers.has(key)) sealers.set(key, new Sealer(ownSecret, purpose))
  return sealers.get(key)
}

/** The value of one cookie, with its parts joined, without a list of all cookies. */
export function cookieIn(header, name) {
  const whole = valueAfter(header, `${name}=`)
  if (whole !== undefined) return whole
  let joined = valueAfter(header, `${name}.0=`)
  for (let part = 1; joined !== undefined; part++) {
    const next = valueAfter(header, `${name}.${part}=`)
    if (next === undefined) break
    joined += next
  }
  return joined
}

export function valueAfter(header, start) {
  const at = header.indexOf(start)
  if (at === -1 || (at > 0 && header[at - 1] !== " ")) return undefined
  const end = header.indexOf(";", at)
  return header.slice(at + start.length, end === -1 ? header.length : end)
}

/** Adds the cookies that hold a token. */
export function pushToken(headers, name, token, maxAge) {
  const tail = `${attributes}; Expires=${new Date(Date.now() + maxAge * 1000).toUTCString()}`
  if (token.length <= longestCookie) return headers.push(["set-cookie", `${name}=${token}${tail}`])
  for (let part = 0; part * longestCookie < token.length; part++) {
    const value = token.slice(part * longestCookie, (part + 1) * longestCookie)
    headers.push(["set-cookie", `${name}.${part}=${value}${tail}`])
  }
}
