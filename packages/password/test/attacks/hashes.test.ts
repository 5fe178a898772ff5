import type * as Crypto from "node:crypto"
import { describe, expect, vi } from "vitest"
import { attackIn } from "../../../../tests/attack.js"

/** How often the runtime has hashed a password. */
const counted = { hashes: 0 }
vi.doMock("node:crypto", async (load) => {
  const crypto = await load<typeof Crypto>()
  const argon2 = (...args: Parameters<typeof crypto.argon2>) => {
    counted.hashes += 1
    crypto.argon2(...args)
  }
  return { ...crypto, argon2 }
})
vi.resetModules()
const { better, joined, modes, siteOf } = await import("../site.js")

const ada = "ada@users.test"

describe.each(modes)("hashes (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("PASS-01", "one password is hashed in each answer, whether or not the email has a user", async () => {
    const site = siteOf({ mode, algorithm: "argon2id" })
    await joined(site, ada)
    await site.adapter.createUser?.({ id: "u9", name: null, email: "open@users.test", emailVerified: null })
    const hashesOf = async (path: string, route: string, fields: Readonly<Record<string, string>>) => {
      const browser = await site.open()
      await browser.get(path)
      const before = counted.hashes
      await browser.submitForm(route, fields)
      return counted.hashes - before
    }
    for (const email of [ada, "unknown@users.test", "open@users.test"]) {
      expect(await hashesOf("/auth/password/sign-up", "password/sign-up", { email, password: better }), email).toBe(1)
      for (const password of [better, "x", "x".repeat(1500)])
        expect(await hashesOf("/auth/signin", "callback/password", { email, password }), password).toBe(1)
    }
  })
})
