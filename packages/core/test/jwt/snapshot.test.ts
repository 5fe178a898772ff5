import { Buffer } from "node:buffer"
import { createRequire, syncBuiltinESMExports } from "node:module"
import { afterEach, describe, expect, test, vi } from "vitest"
import { platforms } from "./platforms.js"

const keys = { secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG", salt: "authjs.session-token" }

/** The object behind `import … from "node:crypto"`, without the types of Node, which core doesn't use. */
const nodeCrypto = createRequire(import.meta.url)("node:crypto") as { randomFillSync<T>(bytes: T): T }

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** From now on, the platform's random bytes all have this value. It's the only thing that differs between resumed processes. */
function resumeWith(value: number): void {
  const fill = <T>(bytes: T): T => {
    if (bytes instanceof Uint8Array) bytes.fill(value)
    return bytes
  }
  vi.spyOn(nodeCrypto, "randomFillSync").mockImplementation(fill)
  vi.spyOn(crypto, "getRandomValues").mockImplementation(fill)
  syncBuiltinESMExports()
}

describe.each(platforms)("on the $name platform, processes that are resumed from one snapshot", ({ jwt }) => {
  test.each(["A256GCM", "A256CBC-HS512"] as const)("never seal two %s tokens with one nonce", async (encryption) => {
    // A process that has sealed before may have random bytes left.
    await jwt.encode({ ...keys, encryption })
    for (const value of [1, 2]) {
      resumeWith(value)
      const [, , nonce = ""] = (await jwt.encode({ ...keys, encryption })).split(".")
      expect(new Set(Buffer.from(nonce, "base64url"))).toEqual(new Set([value]))
    }
  })

  test("never make one id twice", async () => {
    await jwt.encode(keys)
    const ids = []
    for (const value of [1, 2]) {
      resumeWith(value)
      ids.push((await jwt.decode({ ...keys, token: await jwt.encode(keys) }))?.jti)
    }
    expect(ids).toEqual(["01010101-0101-4101-8101-010101010101", "02020202-0202-4202-8202-020202020202"])
  })
})
