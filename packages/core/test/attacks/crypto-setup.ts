import { createRequire, syncBuiltinESMExports } from "node:module"
import { vi } from "vitest"

interface Hash {
  update(text: string): Hash
  digest(encoding: "hex"): string
}

/** The functions of `node:crypto` that the tests spy on. */
export interface NodeCrypto {
  hkdfSync(digest: string, secret: string, salt: string, info: string, length: number): ArrayBuffer
  createHash(algorithm: string): Hash
  createCipheriv(algorithm: string, key: { export(): Buffer }, iv: Uint8Array, options: object): unknown
}

/** The object behind `import … from "node:crypto"`. The cast is needed because core doesn't use the types of Node. */
export const nodeCrypto = createRequire(import.meta.url)("node:crypto") as NodeCrypto

export const createHash = nodeCrypto.createHash

/** Makes changes of `nodeCrypto` visible to named imports. */
export const publish = syncBuiltinESMExports

export function unwatch(): void {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
}
