import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { platforms } from "./platforms.js"
import { systemRuntime } from "../../src/primitives/runtime.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG"
const older = "z9Xc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fA"
const salt = "authjs.session-token"
const start = Date.UTC(2026, 0, 1)
const now = start / 1000

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ["Date"] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(platforms)("on the $name platform", ({ jwt: { encode, decode }, createTokenSealer }) => {
  test("encode adds iat, exp and jti, and the token lives 30 days by default", async () => {
    const claims = await decode({ token: await encode({ token: { sub: "ada" }, secret, salt }), secret, salt })
    expect(claims).toEqual({
      sub: "ada",
      iat: now,
      exp: now + 2_592_000,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test("encode overwrites iat, exp and jti of the payload", async () => {
    const token = await encode({ token: { sub: "a", iat: 1, exp: 2, jti: "x" }, secret, salt, maxAge: 60 })
    const claims = await decode({ token, secret, salt })
    expect(claims).toMatchObject({ iat: now, exp: now + 60 })
    expect(claims?.jti).not.toBe("x")
  })

  test("encode without claims seals only iat, exp and jti", async () => {
    const claims = await decode({ token: await encode({ secret, salt }), secret, salt })
    expect(Object.keys(claims ?? {}).toSorted()).toEqual(["exp", "iat", "jti"])
  })

  test("every token has its own nonce and jti", async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => encode({ token: {}, secret, salt })))
    expect(new Set(tokens.map((token) => token.split(".")[2])).size).toBe(8)
  })

  test("encode uses the first secret", async () => {
    const token = await encode({ token: { sub: "ada" }, secret: [secret, older], salt })
    expect(await decode({ token, secret, salt })).toMatchObject({ sub: "ada" })
    await expect(decode({ token, secret: older, salt })).rejects.toThrow(Error)
  })

  test("decode uses the secret that kid names", async () => {
    const token = await encode({ token: { sub: "ada" }, secret: older, salt })
    expect(await decode({ token, secret: [secret, older], salt })).toMatchObject({ sub: "ada" })
  })

  test("a token doesn't open with another salt", async () => {
    const token = await encode({ token: { sub: "ada" }, secret, salt: "authjs.state" })
    await expect(decode({ token, secret, salt })).rejects.toThrow(Error)
  })

  test.each([
    ["no secret", ""],
    ["an empty list", []],
    ["a list of empty secrets", ["", ""]],
  ])("encode and decode throw MissingSecret for %s", async (_, none) => {
    await expect(encode({ token: {}, secret: none, salt })).rejects.toMatchObject({ type: "MissingSecret" })
    await expect(decode({ token: "a..b.c.d", secret: none, salt })).rejects.toMatchObject({ type: "MissingSecret" })
  })

  test.each([
    [14, true],
    [15, false],
    [16, false],
  ])("a token that expired %i s ago opens: %s", async (late, opens) => {
    const token = await encode({ token: { sub: "ada" }, secret, salt, maxAge: 60 })
    vi.setSystemTime(start + (60 + late) * 1000)
    const opened = decode({ token, secret, salt }).then(
      () => true,
      () => false,
    )
    expect(await opened).toBe(opens)
  })

  test.each([
    ["14 s ahead", now + 14, true],
    ["at the edge of the tolerance", now + 15, true],
    ["16 s ahead", now + 16, false],
    ["a text", "soon", true],
  ])("a token with an nbf that is %s is accepted or refused", async (name, nbf, opens) => {
    const token = await encode({ token: { nbf }, secret, salt })
    const opened = decode({ token, secret, salt }).then(
      () => true,
      () => false,
    )
    expect(await opened, name).toBe(opens && typeof nbf === "number")
  })

  test("times after January 2038 are correct", async () => {
    vi.setSystemTime(Date.UTC(2040, 0, 1))
    const token = await encode({ token: {}, secret, salt, maxAge: 60 })
    expect(await decode({ token, secret, salt })).toMatchObject({ exp: Date.UTC(2040, 0, 1) / 1000 + 60 })
  })

  test("claims in any script and any JSON type are kept", async () => {
    const claims = {
      name: "Zoë \u{1F469}\u200D\u{1F680} \u0000 \uD800",
      list: [1, null, { deep: [true] }],
      __proto__x: 1,
    }
    const token = await encode({ token: claims, secret: "pässwörd-ключ-鍵-0123456789abcdef", salt: "sálz" })
    expect(await decode({ token, secret: "pässwörd-ключ-鍵-0123456789abcdef", salt: "sálz" })).toMatchObject(claims)
  })

  test("the shared key doesn't open a token of the strict key, and the strict key opens a shared one as outdated", async () => {
    const runtime = { ...systemRuntime, now: () => start }
    const shared = createTokenSealer({ secrets: [secret], runtime, keyPerPurpose: false })
    const own = createTokenSealer({ secrets: [secret], runtime, keyPerPurpose: true })
    const sealedOwn = await own.seal(salt, { sub: "ada" }, 60)
    const opened = await own.open(salt, await shared.seal(salt, { sub: "ada" }, 60))
    expect(opened).toMatchObject({ outdated: true, payload: { sub: "ada" } })
    expect(await own.open(salt, sealedOwn)).toMatchObject({ outdated: false })
    await expect((async () => shared.open(salt, sealedOwn))()).rejects.toThrow(Error)
  })
})
