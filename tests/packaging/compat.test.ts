import { expect, test } from "vitest"
import { loadedBy } from "./loaded.js"

/** Starts a sign-in with an OAuth provider, as a browser does. */
const program = (compat: boolean) => `
import { Auth } from "@latchkey/core"
const op = { id: "op", name: "Op", type: "oauth", clientId: "c", clientSecret: "s", authorization: "https://op.test/a", token: "https://op.test/t", userinfo: "https://op.test/u" }
const config = { secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", trustHost: true, compat: ${compat}, providers: [op] }
const send = (path, init) => Auth(new Request("https://app.test/auth/" + path, init), config)
const csrf = await send("csrf")
const { csrfToken } = await csrf.json()
const cookie = csrf.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ")
const headers = { cookie, "content-type": "application/x-www-form-urlencoded" }
const { status } = await send("signin/op", { method: "POST", headers, body: new URLSearchParams({ csrfToken }).toString() })
console.log(status)
`

test("with `compat: false`, a sign-in loads nothing that only other versions need", async () => {
  const ofOthers = (loaded: readonly string[]) => loaded.filter((url) => /version4-(?:attempt|tokens)/.test(url))
  const on = await loadedBy(program(true), "hono")
  const off = await loadedBy(program(false), "hono")
  expect([on.printed, off.printed]).toEqual(["302", "302"])
  expect(ofOthers(on.loaded)).not.toEqual([])
  expect(ofOthers(off.loaded)).toEqual([])
})
