/** A hash with everything that is needed to verify a password, as `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export interface Phc {
  /** The name of the function. */
  readonly id: string
  readonly version: number | undefined
  readonly params: Readonly<Record<string, string>>
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

/** What a stored text may be long. Characters. */
const longest = 1024

const pattern =
  /^\$([a-z0-9-]{1,32})(?:\$v=(\d{1,10}))?(?:\$((?:[a-z0-9-]{1,32}=[A-Za-z0-9/+.-]+,?)+))?\$([A-Za-z0-9/+.-]+)\$([A-Za-z0-9/+]+)$/

/** `undefined`: the text isn't a PHC string with a salt and a hash. */
export function parsePhc(text: string): Phc | undefined {
  if (text.length > longest) return undefined
  const [, id, version, params = "", salt, hash] = pattern.exec(text) ?? []
  if (id === undefined || salt === undefined || hash === undefined) return undefined
  const pairs = params.split(",").map((pair) => pair.split("=", 2))
  return {
    id,
    version: version === undefined ? undefined : Number(version),
    params: Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value])),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  }
}

export function formatPhc({ id, version, params, salt, hash }: Phc): string {
  const pairs = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  const parts = [
    id,
    ...(version === undefined ? [] : [`v=${version}`]),
    ...(pairs.length === 0 ? [] : [pairs.join(",")]),
  ]
  return `$${[...parts, base64(salt), base64(hash)].join("$")}`
}

/** Without padding. */
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "")
}

/** A positive integer of the parameters. `undefined`: there is none of this name. */
export function integerIn({ params }: Phc, name: string): number | undefined {
  const value = params[name]
  return value !== undefined && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : undefined
}
