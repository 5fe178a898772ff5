import { deflateRawSync } from "node:zlib"
import { createHmac } from "node:crypto"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { cost } from "../cost.js"
import { appOf, configOf, mailer, sessionCookie, strongSecret, world } from "../modes/setup.js"
import { adaAt, askSession, cookieHeader, counted, forge, sessionName } from "./session-setup.js"

const session = { strategy: "jwt" } as const

/** An application that records its adapter calls and log, and the claims of a valid token for it. */
function reader(mode: Mode) {
  const its = world()
  const { adapter, calls } = counted(its.adapter)
  const log = captureLog()
  log.forbid(strongSecret)
  const config: AuthConfig = configOf(its, {
    security: mode === "strict" ? { mode, revocableSessions: false } : mode,
    session,
    adapter,
    logger: log.logger,
    runtime: its.clock.runtime,
  })
  const seconds = its.clock.now() / 1000
  const claims = { sub: "ada", email: "ada@example.test", iat: seconds, exp: seconds + 600, auth_time: seconds }
  return { config, calls, log, claims, salt: sessionName(mode), seconds }
}

async function expectRefused({ config, calls, salt }: ReturnType<typeof reader>, token: string, what: string) {
  const { status, body, cleared } = await askSession(config, `${salt}=${token}`)
  expect([what, status, body, cleared]).toEqual([what, 200, null, [salt]])
  const view = await createServer(config).session({ headers: new Headers({ cookie: `${salt}=${token}` }) })
  expect([what, view.session, view.error]).toEqual([what, null, undefined])
  expect(calls).toEqual([])
}

function base64(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** A character of one part replaced by a distant one, and by its neighbor, which may differ only in unused bits. */
function flipped(token: string): string[] {
  return token.split(".").flatMap((part, index, parts) =>
    [0, Math.floor(part.length / 2), part.length - 1].flatMap((at) =>
      [1, 17].map((distance) => {
        const other = alphabet[(alphabet.indexOf(part[at] ?? "A") ^ distance) % 64] ?? "A"
        return parts.with(index, part.slice(0, at) + other + part.slice(at + 1)).join(".")
      }),
    ),
  )
}

attack("JWT-01", "a token with one changed character is refused", async (mode) => {
  const its = reader(mode)
  const token = forge({ salt: its.salt, content: its.claims })
  expect((await askSession(its.config, `${its.salt}=${token}`)).body).toMatchObject({
    user: { email: "ada@example.test" },
  })
  const parts = token.split(".")
  const cut = [parts.slice(0, 4).join("."), `${token}.`, `${token}.AAAA`, `.${token}`, parts.toReversed().join(".")]
  for (const changed of [...flipped(token), ...cut]) if (changed !== token) await expectRefused(its, changed, changed)
})

attack("JWT-01", "no algorithm, compression, key or extension from the header is used", async (mode) => {
  const its = reader(mode)
  const { claims, salt } = its
  const headers: Record<string, object> = {
    "RSA-OAEP": { alg: "RSA-OAEP" },
    RSA1_5: { alg: "RSA1_5" },
    "PBES2 with a billion rounds": { alg: "PBES2-HS512+A256KW", p2c: 1_000_000_000, p2s: "c2FsdA" },
    A256GCMKW: { alg: "A256GCMKW", iv: "AAAA", tag: "AAAA" },
    "ECDH-ES": { alg: "ECDH-ES", epk: { kty: "EC", crv: "P-256", x: "A", y: "A" } },
    none: { alg: "none" },
    A128GCM: { enc: "A128GCM" },
    "A128CBC-HS256": { enc: "A128CBC-HS256" },
    "no enc": { enc: undefined },
    crit: { crit: ["exp"] },
    "empty crit": { crit: [] },
    zip: { zip: "DEF" },
    "zip null": { zip: null },
  }
  for (const [what, header] of Object.entries(headers)) {
    await expectRefused(its, forge({ salt, header, content: claims }), what)
    await expectRefused(its, forge({ salt, header, content: claims, encryptedKey: "AAAA" }), `${what} with a key`)
  }
  const foreign = { salt, secret: "the-attackers-own-secret-0123456789", content: claims }
  const own = { kty: "oct", k: base64("the-attackers-own-secret-0123456789") }
  for (const header of [
    { jwk: own },
    { jku: "https://evil.test/keys" },
    { x5u: "https://evil.test/x" },
    { kid: "../../dev/null" },
  ])
    await expectRefused(its, forge({ ...foreign, header }), Object.keys(header).join())
  its.log.assertClean()
})

attack("JWT-01", "signed tokens, plain or encrypted, and content that isn't an object are refused", async (mode) => {
  const its = reader(mode)
  const { claims, salt } = its
  const signing = `${base64({ alg: "HS256" })}.${base64(claims)}`
  const signed = `${signing}.${createHmac("sha256", strongSecret).update(signing).digest("base64url")}`
  const unsigned = `${base64({ alg: "none" })}.${base64(claims)}.`
  for (const token of [signed, unsigned, `${signed}.AAAA.AAAA`]) await expectRefused(its, token, token)
  const nested = (text: string) => forge({ salt, header: { cty: "JWT" }, content: Buffer.from(text) })
  const contents = [
    signed,
    unsigned,
    JSON.stringify(signed),
    "null",
    "[]",
    "1",
    '"ada"',
    "",
    "{",
    `[${JSON.stringify(claims)}]`,
  ]
  for (const content of contents) await expectRefused(its, nested(content), content)
})

attack("JWT-01", "tokens made to be expensive cost no more than any string of their length", async (mode) => {
  const its = reader(mode)
  const { claims, salt } = its
  const bomb = deflateRawSync(Buffer.from(JSON.stringify({ ...claims, a: " ".repeat(50_000_000) })))
  const valid = forge({ salt, content: claims })
  const costly = [
    forge({ salt, header: { zip: "DEF" }, content: bomb }),
    "A".repeat(5_000_000),
    ".".repeat(5_000_000),
    valid + "A".repeat(5_000_000),
    `${"A".repeat(1_000_000)}..${"A".repeat(1_000_000)}.${"A".repeat(3_000_000)}.AAAA`,
    `${base64("[".repeat(150_000))}..AAAA.AAAA.AAAA`,
    `${base64({ alg: "PBES2-HS512+A256KW", enc: "A256GCM", p2c: 1e9, p2s: "AA" })}.AAAA.AAAA.AAAA.AAAA`,
  ]
  const read = (token: string) => async () => expect((await askSession(its.config, `${salt}=${token}`)).body).toBeNull()
  for (const token of costly) {
    const asLong = await cost(read("A".repeat(token.length)))
    // Half a millisecond is the precision. Inflating the compressed token takes a hundred times as long.
    const limit = 20 * Math.max(asLong, 500)
    expect(await cost(read(token), { enough: limit })).toBeLessThan(limit)
  }
})

attack(
  "ADV-NA-10",
  "a cookie encrypted for a sign-in or a link is not accepted as a session, and is deleted",
  async (mode) => {
    const its = world()
    const mail = mailer()
    const rest = { security: mode, session, providers: [its.op.provider(), mail.provider] }
    const browser = await appOf(its, rest)
    await browser.signIn("op")
    await browser.signIn("mail", { email: "ada@example.test" })
    const config = configOf(its, { ...rest, runtime: its.clock.runtime })
    const names = browser.cookies.map(({ name }) => name)
    expect(names.filter((name) => /\.(?:state|nonce)\.[\w-]/.test(name))).toHaveLength(2)
    for (const { name, value } of browser.cookies) {
      const planted = `${sessionName(mode)}=${encodeURIComponent(value)}`
      const { body, cleared } = await askSession(config, planted)
      expect([name, body, cleared]).toEqual([name, null, [sessionName(mode)]])
      const view = await createServer(config).session({ headers: new Headers({ cookie: planted }) })
      expect([name, view.session]).toEqual([name, null])
    }
  },
)

attack("ADV-NA-10", "each purpose has its own key, named in the authenticated header", async (mode) => {
  const its = world()
  const mail = mailer()
  const { browser } = await adaAt(mode, { session, providers: [its.op.provider(), mail.provider] }, its)
  await browser.signIn("op")
  await browser.signIn("mail", { email: "ada@example.test" })
  const sealed = browser.cookies.filter(({ value }) => value.split(".").length === 5)
  const headers = sealed.map(({ value }) => value.split(".")[0])
  expect(sealed).toHaveLength(4)
  expect(new Set(headers).size).toBe(4)
})

attack(
  "ADV-NA-10",
  "a session or link cookie in place of the flow cookie ends in an error without a token request",
  async (mode) => {
    const its = world()
    const mail = mailer()
    const { browser } = await adaAt(mode, { session, providers: [its.op.provider(), mail.provider] }, its)
    await browser.signIn("mail", { email: "ada@example.test" })
    const link = browser.cookies.find(({ name }) => /\.nonce\./.test(name))?.value ?? ""
    for (const value of [sessionCookie(browser), link]) {
      await browser.signIn("op")
      const answer = await its.op.authorize(browser.location, { as: "grace" })
      const asked = its.op.requestsTo("token").length
      for (const cookie of browser.cookies) if (/\.state\./.test(cookie.name)) browser.jar.put({ ...cookie, value })
      await browser.follow(answer, its.op.issuer)
      expect(new URL(browser.location).search).toBe("?error=Configuration&code=InvalidCheck")
      expect(its.op.requestsTo("token")).toHaveLength(asked)
    }
  },
)

attack("ADV-NA-10", "a session cookie in place of the link cookie does not sign in by itself", async (mode) => {
  const its = world()
  const mail = mailer()
  const { browser } = await adaAt(mode, { session, providers: [its.op.provider(), mail.provider] }, its)
  const planted = sessionCookie(browser)
  await browser.signIn("mail", { email: "grace@example.test" })
  for (const cookie of browser.cookies)
    if (/\.nonce\./.test(cookie.name)) browser.jar.put({ ...cookie, value: planted })
  await browser.get(mail.links[0] ?? "")
  expect(browser.forms).toHaveLength(1)
  expect(its.adapter.rows().verificationTokens).toHaveLength(1)
  expect(cookieHeader(browser)).toContain(planted)
})
