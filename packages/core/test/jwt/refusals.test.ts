import { describe, expect, test } from "vitest"
import { platforms } from "./platforms.js"
import { alive, encryptions, gcm, salt, seal, sealByHand, secret } from "./sealing.js"
import { systemRuntime } from "../../src/primitives/runtime.js"

const cut = (token: string, part: number, change: (bytes: Buffer) => Buffer) => {
  const parts = token.split(".")
  return parts.with(part, change(Buffer.from(parts[part] ?? "", "base64url")).toString("base64url")).join(".")
}

// The log has only this message.
describe.each(platforms)("a refusal on the $name platform says why:", ({ jwt: { decode }, createTokenSealer }) => {
  const reason = async (token: string) => decode({ token, secret, salt }).then(String, ({ message }: Error) => message)

  test.each(["no token", "....", "AAAA..AAAA.AAAA", "a".repeat(300_000)])("%.9s isn't a token", async (token) => {
    expect(await reason(token)).toBe("not a compact JWE with a directly used key")
  })

  test.each([2, 3, 4])("a part (%i) with one surplus character is refused", async (part) => {
    const parts = (await seal(alive, "A256GCM")).split(".")
    expect(await reason(parts.with(part, "AAAAA").join("."))).toBe("the token was changed")
  })

  test.each(encryptions)("each part of a %s token has to have its length", async (enc) => {
    const token = await seal(alive, enc)
    expect(await reason(cut(token, 4, (tag) => tag.subarray(0, -4)))).toBe("malformed")
    expect(await reason(cut(token, 4, (tag) => Buffer.concat([tag, tag])))).toBe("malformed")
    expect(await reason(cut(token, 2, (iv) => iv.subarray(0, -4)))).toBe("malformed")
    expect(await reason(cut(token, 2, (iv) => Buffer.concat([iv, iv])))).toBe("malformed")
  })

  test("a longer nonce of an A256CBC-HS512 token is refused", async () => {
    const token = await seal({ ...alive, padding: "x".repeat(40) }, "A256CBC-HS512")
    const content = Buffer.from(token.split(".")[3] ?? "", "base64url")
    const longer = cut(token, 2, (iv) => Buffer.concat([iv, content.subarray(0, 16)]))
    expect(await reason(cut(longer, 3, (bytes) => bytes.subarray(16)))).toBe("malformed")
  })

  test("a wrong authentication tag of an A256CBC-HS512 token is refused", async () => {
    const token = await seal(alive, "A256CBC-HS512")
    expect(await reason(cut(token, 4, (tag) => Buffer.from(tag.toReversed())))).toBe("malformed")
  })

  test.each([null, 7, "dir", [gcm], true])("the header %j is refused", async (header) => {
    expect(await reason(await sealByHand(header))).toBe("the protected header is not an object")
  })

  test.each([
    { ...gcm, alg: "none" },
    { ...gcm, crit: [] },
    { ...gcm, zip: "DEF" },
    { ...gcm, enc: "A128GCM" },
  ])("what %j asks for is not done", async (header) => {
    expect(await reason(await sealByHand(header))).toBe("the algorithm is not allowed")
  })

  test.each(["unknown", "", 7, null])("the kid %j is refused", async (kid) => {
    expect(await reason(await sealByHand({ ...gcm, kid }))).toBe("no matching decryption secret")
  })

  test.each([null, 7, true, '"ada"', [alive]])("the content %j is refused", async (content) => {
    expect(await reason(await seal(content, "A256GCM"))).toBe("the sealed content is not an object")
  })

  test.each([
    [{ sub: "ada" }, "the token has expired"],
    [{ ...alive, exp: 1 }, "the token has expired"],
    [{ ...alive, nbf: alive.exp }, "the token is not valid yet"],
    [{ ...alive, nbf: "1" }, "the token has a time that is not a number"],
    [{ ...alive, iat: "1" }, "the token has a time that is not a number"],
  ])("%j: %s", async (content, message) => {
    expect(await reason(await seal(content, "A256GCM"))).toBe(message)
  })

  test("sealing without a secret throws", async () => {
    const sealer = createTokenSealer({
      secrets: [],
      runtime: systemRuntime,
      keyPerPurpose: true,
    })
    await expect((async () => sealer.seal(salt, {}, 60))()).rejects.toThrow("a token sealer needs a secret")
  })
})
