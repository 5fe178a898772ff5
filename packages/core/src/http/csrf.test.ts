import { createHash } from "node:crypto"
import { captureLog, frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import { authenticate } from "../crypto/digest.js"
import type { AuthConfig } from "../model/config.js"
import type { Csrf } from "../model/http.js"
import { skipCSRFCheck } from "../model/symbols.js"
import { csrfOf } from "./csrf.js"

const origin = "https://app.test"
const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const older = "Zc8p1XvR6bN3yQ0mK5tJ2wH9dL7sF4gAe1UiOqBtMvX"
const keyed = { security: { keyPerPurpose: true } } as const

interface Sent {
  readonly cookie?: string
  readonly token?: unknown
  readonly headers?: Record<string, string>
  /** The origin of the site. */
  readonly at?: string
}

function site(config: Partial<AuthConfig> = {}) {
  const auth = compile({
    secret,
    url: origin,
    providers: [],
    logger: captureLog().logger,
    runtime: frozenClock().runtime,
    ...config,
  })
  const scheme = auth.https
  const { name } = scheme.cookies.csrfToken
  const sent = ({ cookie, token, headers = {}, at = origin }: Sent): Csrf => {
    const cookies = new Map(cookie === undefined ? [] : [[name, cookie]])
    return csrfOf(auth, { scheme, origin: at, cookies, headers: new Headers(headers) }, { csrfToken: token })
  }
  const issue = async () => {
    const { value: token = "", cookies } = await sent({}).token()
    return { token, cookie: cookies[0]?.value ?? "" }
  }
  return { sent, issue }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

const token = "0123456789abcdef".repeat(4)

describe("the CSRF cookie", () => {
  test.each<[string, Partial<AuthConfig>, string]>([
    ["by the secret", {}, hash(token + secret)],
    ["by a listed secret", { secret: [older, secret] }, hash(token + secret)],
    ["by the first secret", { secret: [secret, older] }, hash(token + secret)],
    ["by all secrets joined", { secret: [secret, older] }, hash(`${token}${secret},${older}`)],
    ["by the bare secret where keys have purposes", keyed, hash(token + secret)],
    [
      "by all secrets joined where keys have purposes",
      { ...keyed, secret: [secret, older] },
      hash(`${token}${secret},${older}`),
    ],
  ])("is accepted with a hash made %s", async (_, config, signature) => {
    const csrf = site(config).sent({ cookie: `${token}|${signature}`, token })
    expect(await csrf.verified()).toBe(true)
    expect(await csrf.token()).toEqual({ value: token, cookies: [] })
  })

  test.each<[string, string]>([
    ["a token of 63 digits", token.slice(1)],
    ["a token of 65 digits", `${token}0`],
    ["a token in capitals", token.toUpperCase()],
    ["a token with a line feed", `${token}\n`],
    ["no token", ""],
  ])("is refused with %s", async (_, odd) => {
    const { sent } = site()
    const csrf = sent({ cookie: `${odd}|${hash(odd + secret)}`, token: odd })
    expect(await csrf.verified()).toBe(false)
    expect((await csrf.token()).value).not.toBe(odd)
  })

  test.each([
    ["another token", { token: token.replace("0", "1") }],
    ["no token", {}],
    ["a list", { token: [token] }],
  ])("isn't enough for a form with %s", async (_, rest) => {
    expect(
      await site()
        .sent({ cookie: `${token}|${hash(token + secret)}`, ...rest })
        .verified(),
    ).toBe(false)
  })

  test.each([
    ["a third part that is no hash", `${token}|${hash(token + older)}|x`],
    ["a fourth part", `${token}|${hash(token + secret)}|${hash(token + secret)}|`],
    ["no hash", token],
    ["an empty hash", `${token}|`],
    ["the hash of another secret", `${token}|${hash(token + older)}`],
    ["the hash of the joined list that is none", `${token}|${hash(`${token}${secret},`)}`],
  ])("is refused when it has %s", async (_, cookie) => {
    expect(await site().sent({ cookie, token }).verified()).toBe(false)
  })

  test("is issued with all secrets joined and with the first one, or with the CSRF key when `keyPerPurpose` is on", async () => {
    const both = { secret: [secret, older] }
    const plain = await site(both).issue()
    const joined = hash(`${plain.token}${secret},${older}`)
    expect(plain.cookie).toBe(`${plain.token}|${joined}|${hash(plain.token + secret)}`)
    expect(await site({ secret }).sent(plain).verified()).toBe(true)
    expect(await site({ secret: older }).sent(plain).verified()).toBe(false)
    const own = await site({ ...keyed, ...both }).issue()
    expect(own.cookie).toBe(`${own.token}|${await authenticate(secret, "csrf", own.token)}`)
    expect(own.cookie).not.toContain(hash(own.token + secret))
    expect(
      await site({ ...keyed, secret })
        .sent(own)
        .verified(),
    ).toBe(true)
    expect(
      await site({ ...keyed, secret: [older, secret] })
        .sent(own)
        .verified(),
    ).toBe(true)
    expect(
      await site({ ...keyed, secret: older })
        .sent(own)
        .verified(),
    ).toBe(false)
    expect(await site().sent(own).verified()).toBe(false)
  })
})

const front = "front.test:8443"
/** Request headers, and whether they pass with a token, without one, and without one under `listedOriginsOnly`. */
const senders: readonly [Record<string, string>, boolean, boolean, boolean][] = [
  [{}, true, true, false],
  [{ "sec-fetch-site": "same-origin", origin: "https://evil.test" }, true, true, true],
  [{ "sec-fetch-site": "none" }, true, true, true],
  [{ "sec-fetch-site": "same-site" }, true, false, false],
  [{ "sec-fetch-site": "cross-site", origin }, false, false, false],
  [{ "sec-fetch-site": "", origin }, false, false, false],
  [{ origin }, true, true, true],
  [{ origin: "https://evil.test", host: "app.test" }, false, false, false],
  [{ origin: `https://${front}`, host: front }, true, false, false],
  [{ origin: `https://${front}`, host: "inner.test", "x-forwarded-host": front }, true, false, false],
  [{ origin: `https://${front}`, host: "front.test" }, false, false, false],
  [{ origin: "null", host: "null" }, false, false, false],
  [{ origin: "null", "sec-fetch-site": "cross-site" }, false, false, false],
]

describe("the headers Sec-Fetch-Site and Origin", () => {
  test.each(senders)(
    "%j: accepted with a token %s, without one %s, without one under listedOriginsOnly %s",
    async (headers, withToken, alone, strict) => {
      const { sent, issue } = site()
      expect(await sent({ ...(await issue()), headers }).verified()).toBe(withToken)
      expect(await site({ skipCSRFCheck }).sent({ headers }).verified()).toBe(alone)
      const listed = site({ skipCSRFCheck, security: { listedOriginsOnly: true } })
      expect(await listed.sent({ headers }).verified()).toBe(strict)
    },
  )

  test("with a token, a hidden origin is accepted over plain http, where browsers send no Sec-Fetch-Site", async () => {
    const { sent, issue } = site()
    const form = { ...(await issue()), headers: { origin: "null" } }
    expect(await sent({ ...form, at: "http://192.0.2.7:3000" }).verified()).toBe(true)
    expect(await sent(form).verified()).toBe(false)
  })

  test("must name an origin under listedOriginsOnly, also with a token", async () => {
    const { sent, issue } = site({ security: { listedOriginsOnly: true } })
    expect(await sent({ ...(await issue()), headers: { origin: "null" }, at: "http://app.test" }).verified()).toBe(
      false,
    )
    expect(await sent({ ...(await issue()), headers: { origin } }).verified()).toBe(true)
  })

  test("are the only check under skipCSRFCheck, so no token is issued", async () => {
    const { sent } = site({ skipCSRFCheck })
    const given = { cookie: `${token}|${hash(token + secret)}` }
    expect(await sent(given).token()).toEqual({ value: undefined, cookies: [] })
  })
})
