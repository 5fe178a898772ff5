import { createHash } from "node:crypto"
import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { csrfPair, location, origin, secret } from "../http/app.js"
import { cookiesOf, type Door, door, whoIs } from "./door-setup.js"

/** The CSRF cookie has a name that other hosts of the domain can set. */
const unprotected: readonly (readonly [Partial<AuthConfig>, at: string])[] = [
  [{ cookies: { csrfToken: { name: "own.csrf" } } }, origin],
  [{ cookies: { csrfToken: { name: "__Secure-own.csrf" } } }, origin],
  [{ useSecureCookies: false }, origin],
  [{ url: "http://app.test/auth" }, "http://app.test"],
]

const forgeries: readonly Record<string, string>[] = [
  {},
  { origin: "https://evil.test" },
  { origin: "null" },
  { origin: "https://sub.app.test", "sec-fetch-site": "same-site" },
  { origin: "null", "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "cross-site" },
]

const routes = ["signin/op", "signin/mail", "signout", "session", "callback/credentials"]

interface Site extends Door {
  readonly at: string
}

interface Pair {
  readonly token: string
  readonly cookie: string
}

async function signedIn(app: Site, name: string): Promise<string> {
  return cookiesOf(await app.post("/auth/callback/credentials", { name, password: "open" }, { origin: app.at }))
}

/** The CSRF token of a browser with these cookies. */
async function pairOf(app: Site, cookie: string): Promise<Pair> {
  return csrfPair(async (path) => app.send(path, { headers: { cookie } }))
}

/** Sends a form of another user, or the user's own, and returns whether it was accepted. */
async function accepts(app: Site, path: string, { token, cookie }: Pair, headers: Record<string, string>) {
  const fields = { csrfToken: token, name: "eve", password: "open", email: "eve@app.test" }
  const form = { method: "POST", body: new URLSearchParams(fields), headers: { ...headers, cookie } }
  const response = await app.send(`/auth/${path}`, form)
  return response.status !== 400 && location(response)?.includes("MissingCSRF") !== true
}

attack("CSRF-02", "a token and cookie of another browser are refused in the browser of a user", async (mode) => {
  for (const [rest, at] of unprotected) {
    const app = { ...door(mode, rest, at), at }
    const [ada, eve] = [await signedIn(app, "ada"), await signedIn(app, "eve")]
    for (const planted of [await csrfPair(app.send), await pairOf(app, eve)]) {
      for (const headers of forgeries) {
        for (const route of routes) {
          const sent = { ...planted, cookie: `${ada}; ${planted.cookie}` }
          expect(await accepts(app, route, sent, headers), `${route} ${JSON.stringify([rest, headers])}`).toBe(false)
        }
      }
    }
    expect([await whoIs(app, ada), app.mails, app.op.requests]).toEqual(["ada", [], []])
  }
})

attack(
  "CSRF-02",
  "the browser's own token is accepted, and so is one of Auth.js in a form of this site",
  async (mode) => {
    for (const [rest, at] of unprotected) {
      const app = { ...door(mode, rest, at), at }
      const ada = await signedIn(app, "ada")
      const own = await pairOf(app, ada)
      const sent = { ...own, cookie: `${ada}; ${own.cookie}` }
      expect(await accepts(app, "session", sent, {}), JSON.stringify(rest)).toBe(true)
      expect(await pairOf(app, sent.cookie)).toEqual({ token: own.token, cookie: "" })
      const token = "0123456789abcdef".repeat(4)
      const hash = createHash("sha256")
        .update(token + secret)
        .digest("hex")
      const [name = ""] = own.cookie.split("=", 1)
      const old = { token, cookie: `${ada}; ${name}=${token}%7C${hash}` }
      expect(await accepts(app, "session", old, {})).toBe(false)
      for (const headers of [{ origin: at }, { "sec-fetch-site": "same-origin" }]) {
        expect(await accepts(app, "session", old, headers), JSON.stringify(headers)).toBe(true)
      }
    }
  },
)

attack("CSRF-02", "a page asks for a new token if the browser's token isn't the user's", async (mode) => {
  for (const [rest, at] of unprotected) {
    const app = { ...door(mode, rest, at), at }
    const [ada, eve] = [await signedIn(app, "ada"), await signedIn(app, "eve")]
    for (const planted of [await csrfPair(app.send), await pairOf(app, eve)]) {
      const next = await pairOf(app, `${ada}; ${planted.cookie}`)
      expect([next.token === planted.token, next.cookie === ""]).toEqual([false, false])
    }
  }
})

attack("CSRF-02", "a form of a sibling domain is refused on every route, with any token", async (mode) => {
  const app = { ...door(mode), at: origin }
  const ada = await signedIn(app, "ada")
  const own = await pairOf(app, ada)
  for (const route of routes) {
    for (const sender of ["https://sub.app.test", "http://app.test", "https://app.test:8443", "null"]) {
      const headers = { origin: sender, "sec-fetch-site": "same-site" }
      expect(await accepts(app, route, { ...own, cookie: `${ada}; ${own.cookie}` }, headers), route).toBe(false)
    }
  }
  expect([await whoIs(app, ada), app.mails, app.op.requests]).toEqual(["ada", [], []])
})
