import { scrypt } from "node:crypto"

export interface ScryptParams {
  /** The cost is 2 to the power of this. */
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** OWASP's minimum for scrypt with 32 MiB. */
export const scryptDefaults: ScryptParams = { ln: 15, r: 8, p: 3 }

/** Bytes. An imported hash with a higher cost isn't computed. */
const maxMemory = 512 * 1024 * 1024

/** Every runtime has it: Node, Bun, Deno, and workerd with `nodejs_compat`. */
export function scryptHash(
  password: Uint8Array,
  salt: Uint8Array,
  { ln, r, p }: ScryptParams,
  length: number,
): Promise<Uint8Array> {
  const cost = 2 ** ln
  // Node counts a little more than 128 * N * r.
  const maxmem = 128 * cost * r + 128 * r * p + 1024 * 1024
  if (maxmem > maxMemory) return Promise.reject(new RangeError("The parameters of a scrypt hash are too high"))
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { N: cost, r, p, maxmem }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
