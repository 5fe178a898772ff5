import { createServer } from "@latchkey/core/server"
import { createProvider, faults } from "@latchkey/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { cookiesOf, type Door, door } from "../attacks/door-setup.js"
import { form } from "../attacks/surface-setup.js"
import { holds, patience } from "../fuzz/holds.js"
import { open } from "../flows/oauth/app.js"
import { csrfPair, origin, secret } from "../http/app.js"
import { measure } from "./meter.js"

/** Sends a text that an attacker chose. */
type Channel = (app: Door, text: string) => Promise<unknown>

const inQuery =
  (path: string, name: string): Channel =>
  async ({ get }, text) =>
    get(`${path}?${name}=${encodeURIComponent(text).slice(0, 60_000)}`)

const inForm =
  (path: string, name: string): Channel =>
  async ({ post }, text) =>
    post(path, { [name]: text })

const ascii = (text: string) => encodeURIComponent(text).slice(0, 60_000)

const channels: Readonly<Record<string, Channel>> = {
  "an email": inForm("/auth/signin/mail", "email"),
  "a user name": inForm("/auth/callback/credentials", "name"),
  "a password": inForm("/auth/callback/credentials", "password"),
  "a code": inForm("/auth/callback/mail", "code"),
  "the email of a link": inForm("/auth/callback/mail?token=x", "email"),
  "a callback URL": inForm("/auth/signout", "callbackUrl"),
  "a callback URL with a host": async ({ post }, text) =>
    post("/auth/signout", { callbackUrl: `https://${text}.test/` }),
  "a callback URL in a query": inQuery("/auth/signin", "callbackUrl"),
  "a state": inQuery("/auth/callback/op", "state"),
  "a code of a provider": inQuery("/auth/callback/op", "code"),
  "an error of a provider": inQuery("/auth/callback/op", "error"),
  "a parameter for a provider": inQuery("/auth/signin/op", "login_hint"),
  "the name of a parameter": async ({ post }, text) => post(`/auth/signin/op?${ascii(text)}=x`),
  "a path": async ({ get }, text) => get(`/auth/signin/${ascii(text)}`),
  JSON: async ({ send }, text) => send("/auth/session", form(JSON.stringify({ data: text }), "application/json")),
  "a cookie": async ({ get }, text) => get("/auth/csrf", { cookie: `x=${ascii(text)}` }),
  "a remembered URL": async ({ get }, text) =>
    get("/auth/signin", {
      cookie: `__Secure-authjs.callback-url=${ascii(text)}; __Host-authjs.callback-url=${ascii(text)}`,
    }),
  "a session token": async ({ get }, text) =>
    get("/auth/session", {
      cookie: `__Secure-authjs.session-token=${ascii(text)}; __Host-authjs.session-token=${ascii(text)}`,
    }),
  "a host": async ({ send }, text) => send("/auth/csrf", { headers: { "x-forwarded-host": ascii(text) } }),
  "a referrer": async ({ post }, text) => post("/auth/signin", {}, { referer: `${origin}/${ascii(text)}` }),
  "an origin": async ({ post }, text) => post("/auth/signin", {}, { origin: `https://${ascii(text)}` }),
  "a call of signIn with an email": async (app, text) => onServer(app).signIn(visitor, "mail", { email: text }),
  "a call of signIn with a name": async (app, text) => onServer(app).signIn(visitor, "credentials", { name: text }),
}

const visitor = { headers: new Headers(), origin }

function onServer({ config }: Door) {
  return createServer({ secret, providers: [], ...config })
}

/** What costs more than its length suggests: combining marks, Punycode, separators, escapes, brackets. */
const pieces = ["\u0323\u0301", "\u6F22", "\u00FC", "a.", "a/", "%41", "[", "|", ",", "=", "a", "\uFDFA", "@"]
const texts = fc
  .tuple(
    fc.oneof(fc.constantFrom(...pieces.slice(0, 3)), fc.array(fc.constantFrom(...pieces), { maxLength: 4 })),
    fc.oneof(fc.constantFrom(254, 512, 1024, 4096), fc.integer({ min: 1, max: 60_000 })),
  )
  .map(([parts, length]) => [parts].flat().join("").repeat(length).slice(0, length))

async function expectBounded(text: string): Promise<void> {
  for (const [name, send] of Object.entries(channels)) {
    // The limiter is on: it reads user names and emails, too.
    const app = door("compatible", { trustHost: true, rateLimit: {} })
    const least = await measure(async () => send(app, "x").catch(() => undefined))
    const work = await measure(async () => send(app, text).catch(() => undefined))
    // Twice the most that was measured. 60,000 combining marks take 3,600,000,000 steps.
    expect(work.steps, name).toBeLessThan(2_000_000)
    // The configuration is compiled and the log has its secrets removed, whatever the text.
    expect(work.characters, name).toBeLessThan(1_000_000 + 2 * least.characters + 200 * text.length)
    expect(work.opened, name).toBeLessThan(20)
    expect(app.asked.length, name).toBeLessThan(3)
  }
}

test(
  "whatever text a visitor sends, and wherever, the work for it grows at most with its length",
  () => holds(fc.asyncProperty(texts, expectBounded), 0.02),
  patience,
)

test("the work for each costly piece of a text grows at most with its length, at every limit", async () => {
  for (const piece of pieces.slice(0, 3))
    for (const length of [254, 4096, 8192, 16_384]) await expectBounded(piece.repeat(length).slice(0, length))
})

test("a callback beyond the rate limit asks no provider", async () => {
  const limits = { callback: { address: { points: 2, seconds: 90 } } }
  const op = createProvider()
  const { browser } = await open([op.provider()], { rateLimit: { address: () => "203.0.113.7", limits } })
  op.inject(faults.codeUnknown)
  const asked: number[] = []
  for (let time = 0; time < 4; time++) {
    await browser.fresh().signInWith(op, { as: "ada" })
    asked.push(op.requestsTo("token").length)
  }
  expect(asked).toEqual([1, 2, 2, 2])
})

test("a request with as many sealed cookies as a browser keeps has a few of them opened", async () => {
  const app = door("compatible")
  const { token, cookie } = await csrfPair(app.send)
  const links: string[] = []
  for (let index = 0; index < 28; index++) {
    const asked = cookiesOf(await app.post("/auth/signin/mail", { email: `ada${index}@app.test` }))
    const link = asked.split("; ").find((each) => each.includes("nonce.")) ?? ""
    links.push(link.replace("=", `${index}=`))
  }
  const cookies = [cookie, ...links].join("; ")
  const { opened } = await measure(async () =>
    app.send("/auth/callback/mail", {
      ...form(`csrfToken=${token}&code=123456`),
      headers: { "content-type": "application/x-www-form-urlencoded", cookie: cookies },
    }),
  )
  expect(opened).toBeGreaterThan(5)
  expect(opened).toBeLessThan(25)
})
