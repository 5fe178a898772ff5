// Copied by the smoke test into a folder where the packed packages are installed, and run there.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"

/** @type {string[]} */
const specifiers = JSON.parse(readFileSync("entries.json", "utf8"))
/** Entries that next-auth 5 removed. Importing them throws. */
const gone = ["@latchkey/next/middleware", "@latchkey/next/next"]
/** They import modules that only the Vite plugin of their framework has. */
const needVite = [
  "@latchkey/qwik",
  "@latchkey/sveltekit",
  "@latchkey/sveltekit/client",
  "@latchkey/sveltekit/components",
  "@latchkey/sveltekit/webauthn",
]
for (const specifier of specifiers.filter((specifier) => !needVite.includes(specifier))) {
  if (gone.includes(specifier)) await assert.rejects(import(specifier), ReferenceError)
  else await import(specifier)
}

const core = "@latchkey/core"
/** @type {{ Auth: (request: Request, config: object) => Promise<Response> }} */
const { Auth } = await import(core)
const config = Object.freeze({
  secret: "mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=",
  trustHost: true,
  providers: Object.freeze([]),
})

const session = await Auth(new Request("https://app.test/auth/session"), config)
assert.equal(session.status, 200)
assert.equal(await session.text(), "null")

const page = await Auth(new Request("https://app.test/auth/signin"), config)
assert.equal(page.status, 200)
assert.match(page.headers.get("content-type") ?? "", /^text\/html/)

console.log(`${specifiers.length} entries load on Node ${process.versions.node}, and Auth() answers`)
