import { type Browser, visit } from "@latchkey/testing"
import { jwtDecrypt } from "jose"
import { describe, expect, test } from "vitest"
import type { AuthConfig } from "@latchkey/core/types"
import { typed } from "../http/app.js"
import { contentKey, type Encryption, headerOf, platforms, thumbprint } from "./platforms.js"
import { systemRuntime } from "../../src/primitives/runtime.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const older = "Zc8p1XvR6bN3yQ0mK5tJ2wH9dL7sF4gAe1UiOqBtMvX"
const salt = "__Secure-authjs.session-token"
const cbc = { encryption: "A256CBC-HS512" } as const

/** Opens a token as a service does that has only the secret. */
async function opened(token: string, enc: Encryption, from = secret) {
  const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: [enc] }
  return (await jwtDecrypt(token, contentKey(from, salt, enc), options)).payload
}

describe.each(platforms)("on the $name platform", ({ jwt: { encode, decode }, createTokenSealer }) => {
  test("encode seals with A256CBC-HS512 and the 64-byte key of Auth.js if asked to", async () => {
    for (const length of [0, 1, 15, 16, 17, 4000]) {
      const token = await encode({ token: { sub: "ä".repeat(length) }, secret: [secret, older], salt, ...cbc })
      const kid = thumbprint(contentKey(secret, salt, "A256CBC-HS512"))
      expect(headerOf(token)).toEqual({ alg: "dir", enc: "A256CBC-HS512", kid })
      expect(await opened(token, "A256CBC-HS512")).toMatchObject({ sub: "ä".repeat(length) })
      expect(await decode({ token, secret, salt })).toMatchObject({ sub: "ä".repeat(length) })
    }
  })

  test("two tokens with the same claims differ in every part", async () => {
    const make = async () => (await encode({ token: { sub: "ada" }, secret, salt, ...cbc })).split(".")
    const [one, other] = [await make(), await make()]
    for (const part of [2, 3, 4]) expect(one[part]).not.toBe(other[part])
  })

  test.each([true, false])(
    "only a token with the encryption and the first secret isn't outdated (own keys: %s)",
    async (keyPerPurpose) => {
      const options = { runtime: systemRuntime, keyPerPurpose }
      const wide = createTokenSealer({ ...options, ...cbc, secrets: [secret, older] })
      const made = await wide.seal(salt, { sub: "ada" }, 60)
      expect(headerOf(made)).toMatchObject({ enc: "A256CBC-HS512" })
      const others = [
        createTokenSealer({ ...options, secrets: [secret] }),
        createTokenSealer({ ...options, keyPerPurpose: false, secrets: [secret] }),
        createTokenSealer({ ...options, ...cbc, secrets: [older] }),
      ]
      expect(await wide.open(salt, made)).toMatchObject({ outdated: false })
      for (const other of others) {
        const token = await other.seal(salt, { sub: "ada" }, 60)
        expect(await wide.open(salt, token)).toMatchObject({ payload: { sub: "ada" }, outdated: true })
      }
    },
  )
})

function tokenOf({ cookies }: Browser): string {
  return cookies.find(({ name }) => name.endsWith("session-token"))?.value ?? ""
}

async function site(config: Partial<AuthConfig>, before?: Browser): Promise<Browser> {
  const browser = await visit({ secret, url: "https://app.test/auth", providers: [typed], ...config })
  for (const cookie of before?.cookies ?? []) browser.jar.put(cookie)
  return browser
}

describe.each(["compatible", "strict"] as const)("`jwt.encryption` under %s security", (security) => {
  const names = security === "strict" ? salt.replace("__Secure-", "__Host-") : salt

  async function openedBySomeone(token: string) {
    return (await jwtDecrypt(token, contentKey(secret, names, "A256CBC-HS512"))).payload
  }

  test("decides how a session cookie is sealed", async () => {
    const browser = await site({ security, jwt: cbc })
    await browser.signIn("credentials", { name: "ada", password: "open" })
    expect(await openedBySomeone(tokenOf(browser))).toMatchObject({ name: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("replaces a session with the other encryption at the next read, and no other", async () => {
    const before = await site({ security })
    await before.signIn("credentials", { name: "ada", password: "open" })
    expect(headerOf(tokenOf(before))).toMatchObject({ enc: "A256GCM" })
    const after = await site({ security, jwt: cbc }, before)
    expect(await after.session()).toMatchObject({ user: { name: "ada" } })
    const replaced = tokenOf(after)
    expect(await openedBySomeone(replaced)).toMatchObject({ name: "ada" })
    await after.session()
    expect(tokenOf(after)).toBe(replaced)
  })

  test("can be taken back: the sessions are still read", async () => {
    const before = await site({ security, jwt: cbc })
    await before.signIn("credentials", { name: "ada", password: "open" })
    expect(await (await site({ security }, before)).session()).toMatchObject({ user: { name: "ada" } })
  })
})
