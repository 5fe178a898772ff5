import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, type CapturedLog, createProvider, faults, type Fault } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { strongSecret } from "../modes/setup.js"
import { secretsAt, site, type Site } from "./surface-setup.js"

/** The values of all cookies that were set, and their parts. */
function cookieValues({ trail, cookies }: Browser): readonly string[] {
  const set = trail.flatMap(({ headers }) => headers.getSetCookie().map((line) => line.split(/[=;]/, 2)[1] ?? ""))
  const values = [...set, ...cookies.map(({ value }) => value)].flatMap((value) => [
    decodeURIComponent(value),
    ...decodeURIComponent(value).split("|"),
  ])
  return values.filter((value) => value.length >= 16 && !value.startsWith("https://"))
}

function forbidAll(log: CapturedLog, { its, browser, links }: Site): void {
  const tokens = links.map((link) => new URL(link).searchParams.get("token") ?? "")
  const all = [strongSecret, ...secretsAt(its.op), ...cookieValues(browser), ...tokens]
  log.forbid(...all.filter((secret) => secret.length >= 6))
}

const quiet =
  (status: number): (() => Response) =>
  () =>
    new Response("{}", { status })

/** Each way in which a request to a provider can fail. */
const failures: Readonly<Record<string, Fault>> = {
  "a bad code": faults.codeUnknown,
  "a refused code": faults.tokenError,
  "an error in 200": faults.tokenErrorIn200,
  "a token endpoint that fails": faults.tokenServerError,
  "a token response in HTML": faults.tokenHtml,
  "a token response that isn't JSON": faults.tokenNotJson,
  "a token endpoint that redirects": faults.tokenRedirectWithBody,
  "an unreachable token endpoint": faults.tokenUnreachable,
  "a bad state": faults.stateWrong,
  "no state": faults.stateMissing,
  "another issuer": faults.issMismatch,
  "no access token": faults.noAccessToken,
  "a bad signature": faults.badSignature,
  "a foreign audience": faults.wrongAud,
  "a wrong nonce": faults.wrongNonce,
  "an expired ID token": faults.expired,
  "a garbled ID token": faults.garbageIdToken,
  "an unknown key": faults.unknownKid,
  "keys that fail": faults.jwksServerError,
  "keys in HTML": faults.jwksHtml,
  "discovery that fails": faults.discoveryServerError,
  "discovery in HTML": faults.discoveryHtml,
  "an unreachable discovery endpoint": faults.discoveryUnreachable,
  "a wrong discovered issuer": faults.discoveryWrongIssuer,
  "userinfo that fails": faults.userinfo500,
  "userinfo in HTML": faults.userinfoHtml,
  "userinfo of another user": faults.userinfoSubMismatch,
  "an unusual lifetime": faults.expiresInGarbage,
  "tokens in the callback URL": faults.implicitTokens,
}

type Kind = "oidc" | "oauth" | "userinfo"

/** A sign-in at a provider with this fault. */
async function drive(mode: Mode, fault: Fault, rest: Partial<AuthConfig>, kind: Kind): Promise<Site> {
  const op = createProvider({ faults: fault })
  const profile = kind === "userinfo" ? { idToken: false } : {}
  const made = await site(mode, { ...rest, providers: [kind === "oauth" ? op.oauthProvider() : op.provider(profile)] })
  const visited = { ...made, its: { ...made.its, op } }
  await visited.browser.signInWith(op, { as: "ada" })
  return visited
}

attack("ADV-NA-06", "no failure of a provider brings a secret, a token or a cookie into the log", async (mode) => {
  let failed = 0
  for (const [name, fault] of Object.entries(failures)) {
    for (const kind of ["oidc", "oauth", "userinfo"] as const) {
      for (const debug of [false, true]) {
        const failing = await drive(mode, fault, { debug }, kind)
        forbidAll(failing.log, failing)
        expect(() => failing.log.assertClean(), `${name}, ${kind}`).not.toThrow()
        if ((await failing.browser.session()) === null) failed++
      }
    }
  }
  expect(failed).toBeGreaterThan(Object.keys(failures).length * 3)
})

attack(
  "ADV-NA-06",
  "an error names the provider, and contains neither its configuration nor the response",
  async (mode) => {
    for (const fault of [faults.tokenError, faults.tokenServerError, faults.wrongAud, { userinfo: quiet(500) }]) {
      const { log } = await drive(mode, fault, {}, "oauth")
      const errors = log.entries.filter(({ level }) => level === "error")
      for (const { text } of errors) {
        expect(text).toContain("op")
        for (const word of ["clientId", "clientSecret", "token_endpoint", "authorization:", "[Function"])
          expect(text).not.toContain(word)
      }
    }
  },
)

attack("ADV-NA-06", "an error of `profile()` is logged with its message, not with the profile", async (mode) => {
  const op = createProvider()
  const profile = () => {
    throw new Error("no such field")
  }
  const made = await site(mode, { providers: [op.oauthProvider({ profile })] })
  const visited = { ...made, its: { ...made.its, op } }
  await visited.browser.signInWith(op, { as: "ada" })
  forbidAll(visited.log, visited)
  visited.log.forbid("Ada Lovelace", "ada@example.test")
  visited.log.assertClean()
  expect(visited.log.entries.some(({ text }) => text.includes("no such field"))).toBe(true)
})

attack("LOG-02", "with `debug: true` no log line of a sign-in contains a secret", async (mode) => {
  const visited = await site(mode, { debug: true })
  const { its, browser, log, links } = visited
  await browser.signInWith(its.op, { as: "ada" })
  forbidAll(log, visited)
  await browser.session()
  await browser.signOut()
  await browser.signIn("mail", { email: "grace@example.test" })
  forbidAll(log, visited)
  await browser.get(links[0] ?? "")
  forbidAll(log, visited)
  await browser.signOut()
  await browser.signIn("credentials", { name: "linus", password: "not-the-password" })
  await browser.get(links[0] ?? "")
  log.forbid("not-the-password", (await browser.csrf()) ?? "")
  log.assertClean()
  expect(log.entries.some(({ level }) => level === "debug")).toBe(true)
})

attack("LOG-03", "a configured `debug` function is not called without `debug: true`", async (mode) => {
  for (const debug of [false, undefined]) {
    const called: string[] = []
    const logger = { debug: (message: string) => void called.push(message), error: () => {}, warn: () => {} }
    const visited = await site(mode, { logger, debug })
    await visited.browser.signInWith(visited.its.op, { as: "ada" })
    await visited.browser.signIn("credentials", { name: "linus", password: "wrong" })
    await visited.browser.fetch("/auth/session", { headers: { cookie: "x=y" } })
    await visited.browser.signOut()
    expect(called).toEqual([])
    const heard = await site(mode, { logger, debug: true })
    await heard.browser.signInWith(heard.its.op, { as: "ada" })
    expect(called.length).toBeGreaterThan(0)
  }
})
