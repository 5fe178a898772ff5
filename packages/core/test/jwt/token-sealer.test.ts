import { afterEach, describe, expect, test, vi } from "vitest"
import { platforms } from "./platforms.js"
import { alive, salt, seal, secret } from "./sealing.js"
import { systemRuntime } from "../../src/primitives/runtime.js"

const older = "z9Xc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fA"
const runtime = { ...systemRuntime, now: () => 1_767_225_600_000 }
const options = { secrets: [secret], runtime, keyPerPurpose: false }

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(platforms)("on the $name platform", ({ platform, jwt: { decode }, createTokenSealer }) => {
  // A repeated nonce reveals the authentication key of GCM (NIST SP 800-38D §8).
  test("nonces are random and never repeat", async () => {
    const sealer = createTokenSealer(options)
    const nonces = new Set<string>()
    const seen = Array.from({ length: 12 }, () => new Set<number>())
    for (let times = 0; times < 6000; times++) {
      const nonce = Buffer.from((await sealer.seal(salt, {}, 60)).split(".")[2] ?? "", "base64url")
      expect(nonce).toHaveLength(12)
      nonces.add(nonce.toString("hex"))
      for (const [at, byte] of nonce.entries()) seen[at]?.add(byte)
    }
    expect(nonces.size).toBe(6000)
    // The chance that one of 256 values is missing at one of 12 positions in 6,000 nonces is 1 in 5 million.
    expect(seen.map(({ size }) => size)).toEqual(Array.from({ length: 12 }, () => 256))
  })

  test("two sealers don't repeat each other's nonces", async () => {
    const sealers = [createTokenSealer(options), createTokenSealer(options)]
    const tokens: string[] = []
    for (let times = 0; times < 600; times++) for (const sealer of sealers) tokens.push(await sealer.seal(salt, {}, 60))
    expect(new Set(tokens.map((token) => token.split(".")[2])).size).toBe(1200)
  })

  test("keys are derived once per secret and purpose", async () => {
    const derive = vi.spyOn(platform, "hkdf")
    const sealer = createTokenSealer({ ...options, secrets: [secret, older] })
    const token = await sealer.seal(salt, {}, 60)
    const once = derive.mock.calls.length
    for (let times = 0; times < 3; times++) await sealer.open(salt, token)
    await sealer.seal(salt, {}, 60)
    expect(derive).toHaveBeenCalledTimes(once)
    await sealer.seal("another purpose", {}, 60)
    expect(derive).toHaveBeenCalledTimes(once * 2)
  })

  test("a token of an older secret is outdated, one of the newest isn't", async () => {
    const [both, old] = [
      createTokenSealer({ ...options, secrets: [secret, older] }),
      createTokenSealer({ ...options, secrets: [older] }),
    ]
    expect(await both.open(salt, await both.seal(salt, {}, 60))).toMatchObject({ outdated: false })
    expect(await both.open(salt, await old.seal(salt, {}, 60))).toMatchObject({ outdated: true })
    expect(await both.open(salt, await seal(alive, "A256CBC-HS512"))).toMatchObject({ outdated: false })
  })

  test("a token of the maximum length opens, and a longer one doesn't", async () => {
    const empty = (await seal({ ...alive, padding: "" }, "A256GCM")).length
    const room = Math.floor(((262_144 - empty) * 3) / 4)
    const [whole, over] = await Promise.all(
      [room, room + 1].map((length) => seal({ ...alive, padding: "x".repeat(length) }, "A256GCM")),
    )
    expect([whole?.length, over?.length]).toEqual([262_144, 262_145])
    expect(await decode({ token: whole ?? "", secret, salt })).toMatchObject(alive)
    await expect(decode({ token: over ?? "", secret, salt })).rejects.toThrow("not a compact JWE")
  })

  test("other header members are ignored", async () => {
    const token = await seal(alive, "A256GCM", { typ: "~~~???>>>", cty: "???~~~>>>" })
    expect(token.split(".")[0]).toMatch(/-.*_|_.*-/)
    expect(await decode({ token, secret, salt })).toEqual(alive)
  })

  test("multi-byte characters are intact across block boundaries", async () => {
    for (let shift = 0; shift < 16; shift++) {
      const claims = { ...alive, name: `${"x".repeat(shift)}${"鍵".repeat(20)}` }
      for (const enc of ["A256GCM", "A256CBC-HS512"] as const)
        expect(await decode({ token: await seal(claims, enc), secret, salt })).toEqual(claims)
    }
  })
})

test("node:crypto is used synchronously", () => {
  const sealer = platforms.find(({ name }) => name === "node")?.createTokenSealer(options)
  const token = sealer?.seal(salt, { sub: "ada" }, 60)
  if (typeof token !== "string") throw new Error("sealing took a promise")
  expect(sealer?.open(salt, token)).toMatchObject({ payload: { sub: "ada" }, outdated: false })
})

test("a Web Crypto key isn't extractable", async () => {
  const imported = vi.spyOn(crypto.subtle, "importKey")
  const web = platforms.find(({ name }) => name === "web")
  const sealer = web?.createTokenSealer(options)
  await sealer?.open(salt, (await sealer.seal(salt, {}, 60)) ?? "")
  await web?.platform.hmacSha256(secret, "text")
  const keys = await Promise.all(imported.mock.results.map(({ value }) => value))
  expect(keys.map(({ extractable }) => extractable)).toEqual(keys.map(() => false))
  expect(new Set(keys.map(({ algorithm }) => algorithm.name))).toEqual(new Set(["HKDF", "AES-GCM", "AES-CBC", "HMAC"]))
})
