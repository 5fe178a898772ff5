import { createRequire, syncBuiltinESMExports } from "node:module"
import { vi } from "vitest"

interface Hash {
  update(text: string): Hash
  digest(encoding: "hex"): string
}

/** As much of Node's module as is watched. */
export interface NodeCrypto {
  hkdfSync(digest: string, secret: string, salt: string, info: string, length: number): ArrayBuffer
  createHash(algorithm: string): Hash
  createCipheriv(algorithm: string, key: { export(): Buffer }, iv: Uint8Array, options: object): unknown
}

/** The object behind `import … from "node:crypto"`; a boundary, since Node's own types are not those of core. */
export const nodeCrypto = createRequire(import.meta.url)("node:crypto") as NodeCrypto

export const createHash = nodeCrypto.createHash

/** Lets what was put into `nodeCrypto` be seen by those who imported it by name. */
export const publish = syncBuiltinESMExports

export function unwatch(): void {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
}
