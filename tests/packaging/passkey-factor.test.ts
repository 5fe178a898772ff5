import { expect, test } from "vitest"
import { loadedBy } from "./loaded.js"

/** A user with a second factor enters the password, and looks at the page that asks for it. */
const program = (providers: string) => `
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import { mfa } from "@latchkey/mfa"
const adapter = memoryAdapter()
const user = await adapter.createUser({ id: "1", email: "ada@users.test", emailVerified: null })
const password = credentials({ credentials: { name: {} }, authorize: () => user })
const config = {
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", trustHost: true, adapter, session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true }, providers: [${providers}], modules: [mfa({ require: () => true })],
}
const cookies = new Map()
async function send(path, fields) {
  const headers = { cookie: [...cookies].map((pair) => pair.join("=")).join("; "), accept: "text/html" }
  const init = fields === undefined ? { headers } : { method: "POST", headers, body: new URLSearchParams(fields) }
  const response = await Auth(new Request("https://app.test/auth/" + path, init), config)
  for (const line of response.headers.getSetCookie()) cookies.set(...line.split(";")[0].split(/=(.*)/))
  return response
}
const { csrfToken } = await (await send("csrf")).json()
await send("callback/credentials", { csrfToken, name: "ada" })
const page = await send("factor")
console.log(page.status)
if (config.providers.length > 1) await send("callback/passkey", { csrfToken, action: "authenticate", data: "{}" })
`

test("without a passkey provider, a second factor loads nothing of passkeys", async () => {
  const ofPasskeys = (loaded: readonly string[]) =>
    loaded.filter((url) => /\/dist\/(?!providers\/).*\/(?:passkeys|assertions|webauthn)\.js$/.test(url))
  const without = await loadedBy(program("password"), "mfa")
  const beside = await loadedBy(program("password, Passkey()"), "mfa")
  expect([without.printed, beside.printed]).toEqual(["200", "200"])
  expect(ofPasskeys(without.loaded)).toEqual([])
  expect(ofPasskeys(beside.loaded)).not.toEqual([])
})
