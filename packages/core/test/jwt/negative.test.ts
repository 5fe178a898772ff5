import { describe, expect, test } from "vitest"
import { platforms } from "./platforms.js"
import { alive, encryptions, gcm, salt, seal, sealByHand, secret } from "./sealing.js"

describe.each(platforms)("on the $name platform", ({ jwt: { decode } }) => {
  const opens = async (token: string) => decode({ token, secret, salt })

  test("the tokens open before they are changed", async () => {
    for (const enc of encryptions) expect(await opens(await seal(alive, enc))).toEqual(alive)
    expect(await opens(await sealByHand(gcm))).toEqual(alive)
  })

  test.each(encryptions)("one flipped bit in any byte of any part of a %s token is refused", async (enc) => {
    const parts = (await seal(alive, enc)).split(".")
    for (const [index, part] of parts.entries()) {
      const bytes = Buffer.from(part, "base64url")
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        const token = parts.with(index, changed.toString("base64url")).join(".")
        await expect(opens(token), `part ${index}, byte ${at}`).rejects.toThrow(Error)
      }
    }
  })

  test.each(encryptions)("another spelling of the same bytes of a %s token is refused", async (enc) => {
    const parts = (await seal({ ...alive, padding: enc === "A256GCM" ? "x" : "" }, enc)).split(".")
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const rests = new Set<number>()
    for (const [index, part] of parts.entries()) {
      // If no character can be exchanged, append one: some decoders ignore an incomplete byte.
      const stem = part.length % 4 === 0 ? part : part.slice(0, -1)
      for (const last of index === 1 ? "A" : alphabet) {
        const sibling = stem + last
        if (sibling === part || !Buffer.from(sibling, "base64url").equals(Buffer.from(part, "base64url"))) continue
        await expect(opens(parts.with(index, sibling).join(".")), sibling).rejects.toThrow(Error)
        rests.add(part.length % 4)
      }
    }
    expect(rests).toEqual(new Set([0, 2, 3]))
  })

  test("bytes moved from one part to the next are refused", async () => {
    for (const enc of encryptions) {
      const [header, , ...rest] = (await seal({ ...alive, padding: "x".repeat(40) }, enc)).split(".")
      const bytes = rest.map((part) => Buffer.from(part, "base64url"))
      const whole = Buffer.concat(bytes)
      const [iv = 0, content = 0] = bytes.map(({ length }) => length)
      for (const [left, right] of [0, 1, 4, 12, 16, -1, -4, -12].flatMap(
        (by) =>
          [
            [by, 0],
            [0, by],
          ] as const,
      )) {
        const cuts = [whole.subarray(0, iv + left), whole.subarray(iv + left, iv + content + right)]
        const moved = [...cuts, whole.subarray(iv + content + right)].map((part) => part.toString("base64url"))
        const opened = opens(`${header}..${moved.join(".")}`).then(Boolean, () => false)
        expect(await opened, `${enc} ${left} ${right}`).toBe(left === 0 && right === 0)
      }
    }
  })

  test.each([
    ["padding", (token: string) => `${token}==`],
    ["a space in front", (token: string) => ` ${token}`],
    ["a line feed behind", (token: string) => `${token}\n`],
    ["an encrypted key", (token: string) => token.replace("..", ".AAAA.")],
    ["a sixth part", (token: string) => `${token}.AAAA`],
    ["no tag", (token: string) => token.slice(0, token.lastIndexOf("."))],
    ["an empty tag", (token: string) => token.slice(0, token.lastIndexOf(".") + 1)],
    ["a shortened tag", (token: string) => token.slice(0, -6)],
    ["the classic base64 alphabet", (token: string) => `${token.slice(0, -1)}+`],
    ["a character that no token has", (token: string) => `${token.slice(0, -2)}é.`],
    ["nothing but dots", () => "...."],
    ["five empty parts with a header", (token: string) => `${token.split(".")[0]}....`],
    ["a header that is no JSON", (token: string) => `AAAA${token.slice(token.indexOf("."))}`],
    ["a header that is a list", (token: string) => `W10${token.slice(token.indexOf("."))}`],
    ["a header that is null", (token: string) => `bnVsbA${token.slice(token.indexOf("."))}`],
  ])("a token with %s is refused", async (_, spoil) => {
    for (const enc of encryptions) await expect(opens(spoil(await seal(alive, enc)))).rejects.toThrow(Error)
  })

  test.each([
    ["crit", { ...gcm, crit: ["exp"] }],
    ["an empty crit", { ...gcm, crit: [] }],
    ["zip", { ...gcm, zip: "DEF" }],
    ["alg none", { ...gcm, alg: "none" }],
    ["alg A256KW", { ...gcm, alg: "A256KW" }],
    ["alg in capitals", { ...gcm, alg: "DIR" }],
    ["alg as a list", { ...gcm, alg: ["dir"] }],
    ["no alg", { enc: "A256GCM" }],
    ["no enc", { alg: "dir" }],
    ["enc A128GCM", { ...gcm, enc: "A128GCM" }],
    ["enc A128CBC-HS256", { ...gcm, enc: "A128CBC-HS256" }],
    ["enc of a prototype property", { ...gcm, enc: "constructor" }],
    ["the other enc", { ...gcm, enc: "A256CBC-HS512" }],
    ["an unknown kid", { ...gcm, kid: "unknown" }],
    ["an empty kid", { ...gcm, kid: "" }],
  ])("a token whose authentic header has %s is refused", async (_, header) => {
    await expect(opens(await sealByHand(header))).rejects.toThrow(Error)
  })

  test.each([4, 8, 12, 13, 14, 15])("a GCM tag of %i bytes is refused", async (tagLength) => {
    await expect(opens(await sealByHand(gcm, { tagLength }))).rejects.toThrow(Error)
  })

  test.each([13, 16, 32])("a GCM nonce of %i bytes is refused", async (ivLength) => {
    await expect(opens(await sealByHand(gcm, { ivLength }))).rejects.toThrow(Error)
  })

  test.each([
    ["no exp", { sub: "ada" }],
    ["a null exp", { sub: "ada", exp: null }],
    ["an exp that is text", { sub: "ada", exp: "4948825904" }],
    ["an exp in the past", { sub: "ada", exp: 1_000_000_000 }],
    ["an nbf in the future", { ...alive, nbf: 4_000_000_000 }],
    ["an nbf that is text", { ...alive, nbf: "1" }],
    ["a null nbf", { ...alive, nbf: null }],
    ["an iat that is text", { ...alive, iat: "1" }],
    ["a list as content", [alive]],
    ["a text as content", '"ada"'],
    ["null as content", "null"],
    ["content that is no JSON", "{sub:ada}"],
    ["no content", ""],
  ])("an authentic token with %s is refused", async (_, content) => {
    for (const enc of encryptions) await expect(opens(await seal(content, enc))).rejects.toThrow(Error)
  })

  test("a token of over 256 kB is refused without being decrypted", async () => {
    const token = await seal({ ...alive, padding: "x".repeat(400_000) }, "A256GCM")
    await expect(opens(token)).rejects.toThrow(Error)
    await expect(opens("a".repeat(5_000_000))).rejects.toThrow(Error)
    await expect(opens(`${"a".repeat(100_000)}..a.a.a`)).rejects.toThrow(Error)
  })

  test("a token of 100 kB opens", async () => {
    const large = { ...alive, padding: "x".repeat(100_000) }
    expect(await opens(await seal(large, "A256GCM"))).toEqual(large)
  })

  test("an error message doesn't contain the secret", async () => {
    const refused = await opens(await sealByHand({ ...gcm, kid: "unknown" })).catch(String)
    expect(refused).not.toContain(secret)
  })
})
