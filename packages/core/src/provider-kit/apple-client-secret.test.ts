import { exportPKCS8, generateKeyPair, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import { signClientSecret } from "./apple-client-secret.js"

const now = Date.UTC(2026, 0, 1)
const { privateKey: key, publicKey } = await generateKeyPair("ES256", { extractable: true })
const pem = await exportPKCS8(key)
const account = { teamId: "TEAM123456", keyId: "KEY1234567", privateKey: pem }

describe("the client secret for Apple", () => {
  test("is a JWT for Apple, signed with the key and valid for five minutes", async () => {
    const secret = await signClientSecret(account, "com.example.web", now)
    const { payload, protectedHeader } = await jwtVerify(secret, publicKey, {
      audience: "https://appleid.apple.com",
      issuer: "TEAM123456",
      subject: "com.example.web",
      currentDate: new Date(now),
    })
    expect(protectedHeader).toEqual({ alg: "ES256", kid: "KEY1234567" })
    expect(payload.iat).toBe(now / 1000)
    expect(payload.exp).toBe(now / 1000 + 300)
  })

  test.each([
    ["with line breaks as \\n", pem.replaceAll("\n", "\\n")],
    ["on one line", pem.replaceAll("\n", " ")],
    ["with Windows line breaks", pem.replaceAll("\n", "\r\n")],
  ])("accepts a key %s", async (_, privateKey) => {
    const secret = await signClientSecret({ ...account, privateKey }, "c", now)
    await expect(jwtVerify(secret, publicKey, { currentDate: new Date(now) })).resolves.toBeDefined()
  })

  test.each(["", "no key", pem.slice(0, 90)])(
    "explains what to do about a key that can't be read",
    async (privateKey) => {
      await expect(signClientSecret({ ...account, privateKey }, "c", now)).rejects.toThrow(
        /whole text of the \.p8 file/,
      )
    },
  )
})
