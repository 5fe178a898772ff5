import { Auth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { csrfPair } from "../http/app.js"
import { answerOf, begin, open, outcome, secret } from "../flows/oauth/app.js"
import { shown } from "./oauth-setup.js"

const proofs = ["state", "nonce", "code_challenge"] as const

/** Starts sign-ins with plain requests, because a test browser is too slow for ten thousand of them. */
async function starter(mode: Mode) {
  const asked: number[] = []
  const random = (bytes: number) => {
    asked.push(bytes)
    return crypto.getRandomValues(new Uint8Array(bytes))
  }
  const op = createProvider()
  // A configured endpoint, so no discovery request is needed.
  const given = op.provider({ authorization: "https://op.test/authorize", checks: ["pkce", "state", "nonce"] })
  const config: AuthConfig = {
    secret,
    security: mode,
    url: "https://app.test/auth",
    providers: [given],
    runtime: { random },
  }
  const { token, cookie } = await csrfPair(async (path, init) =>
    Auth(new Request(`https://app.test${path}`, init), config),
  )
  const body = new URLSearchParams({ csrfToken: token }).toString()
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded", origin: "https://app.test" }
  const begin = async () => {
    const request = new Request("https://app.test/auth/signin/op", { method: "POST", headers, body })
    return new URL((await Auth(request, config)).headers.get("location") ?? "").searchParams
  }
  return { asked, begin }
}

attack("CHK-06", "in ten thousand sign-ins no state, nonce or challenge repeats; each has 256 bits", async (mode) => {
  const { asked, begin } = await starter(mode)
  const seen = { state: new Set<string>(), nonce: new Set<string>(), code_challenge: new Set<string>() }
  const before = asked.length
  const attempts = 10_000
  for (let count = 0; count < attempts; count += 1) {
    const params = await begin()
    for (const name of proofs) seen[name].add(params.get(name) ?? "")
    if (params.get("code_challenge_method") !== "S256") throw new Error("Another method than S256")
  }
  const values = proofs.flatMap((name) => [...seen[name]])
  expect(proofs.map((name) => seen[name].size)).toEqual([attempts, attempts, attempts])
  expect(new Set(values).size).toBe(3 * attempts)
  expect(values.every((value) => /^[\w-]{43}$/.test(value))).toBe(true)
  // Every position has every letter, so no part is a timestamp or a counter.
  for (let at = 0; at < 42; at += 1) expect(new Set(values.map((value) => value[at])).size).toBe(64)
  // State, nonce and verifier each take 32 bytes from the random generator.
  expect(asked.slice(before).filter((bytes) => bytes === 32).length).toBeGreaterThanOrEqual(3 * attempts)
})

attack("CHK-06", "the verifier has 43 to 128 unreserved characters and is new for each sign-in", async (mode) => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { security: mode })
  for (let count = 0; count < 20; count += 1) await browser.signInWith(op, { as: "ada" })
  const verifiers = op.requestsTo("token").map(({ form }) => form.get("code_verifier") ?? "")
  expect(verifiers.every((verifier) => /^[\w.~-]{43,128}$/.test(verifier))).toBe(true)
  expect(new Set(verifiers).size).toBe(20)
})

attack("CHK-10", '`checks: ["none"]` is refused under strict and logged as a warning otherwise', async (mode) => {
  for (const checks of [["none"], [], ["none", "none"]] as const) {
    for (const type of ["oidc", "oauth"]) {
      const op = createProvider()
      const given = type === "oidc" ? op.provider({ checks }) : op.oauthProvider({ checks })
      const { browser, log } = await open([given], { security: mode, environment: "production" })
      await browser.get("/auth/signin")
      const level = mode === "strict" ? "error" : "warn"
      expect(browser.response.status).toBe(mode === "strict" ? 500 : 200)
      const said = log.entries.filter((entry) => entry.level === level).map(({ text }) => text)
      expect(said.filter((text) => /has no checks, so its callbacks can be forged/.test(text))).toHaveLength(1)
    }
  }
})

attack("CHK-10", '"none" next to another check has no effect', async (mode) => {
  const op = createProvider()
  const { browser, log } = await open([op.provider({ checks: ["none", "state", "pkce"] })], { security: mode })
  const { searchParams } = await begin(browser)
  expect([searchParams.has("state"), searchParams.has("code_challenge")]).toEqual([true, true])
  await browser.get("/auth/callback/op?code=stray", { from: op.issuer })
  expect([outcome(browser), op.requestsTo("token")]).toEqual(["InvalidCheck", []])
  expect(log.entries.map(({ message }) => message)).not.toContain("checks-disabled")
})

const endings = ["success", "refused", "unreachable", "denied"] as const

attack("CHK-12", "the verifier leaves the server only encrypted or in the token request", async (mode) => {
  for (const debug of [true, false]) {
    for (const ending of endings) {
      const op = createProvider()
      const verifiers: string[] = []
      op.inject({
        answer: ({ endpoint, form }) => {
          if (endpoint !== "token") return undefined
          verifiers.push(form.get("code_verifier") ?? "")
          if (ending === "unreachable") throw new TypeError("fetch failed")
          return ending === "refused" ? Response.json({ error: "invalid_grant" }, { status: 400 }) : undefined
        },
      })
      const callbacks = { signIn: () => ending !== "denied" }
      const { browser, log } = await open([op.provider()], { security: mode, debug, callbacks })
      const at = await begin(browser)
      const jar = browser.cookies.map(({ name, value }) => `${name}=${decodeURIComponent(value)}`).join("\n")
      const started = shown(browser)
      const answer = await answerOf(op, at)
      await browser.get(answer, { from: op.issuer })
      expect([ending, await browser.session()]).toEqual([ending, ending === "success" ? expect.anything() : null])
      const [verifier = ""] = verifiers
      expect(verifier).toMatch(/^[\w-]{43}$/)
      for (const text of [jar, at.href, answer, started, shown(browser)]) expect(text).not.toContain(verifier)
      expect(jar).not.toContain(btoa(verifier).slice(0, 40))
      const code = new URL(answer).searchParams.get("code") ?? ""
      log.forbid(verifier, code, op.clientSecret, at.searchParams.get("nonce") ?? "no nonce", secret)
      log.assertClean()
      expect(log.entries.some(({ level }) => level === "debug")).toBe(debug)
    }
  }
})

attack(
  "CHK-12",
  "the flow cookie is encrypted with its own key, so no value encrypted for another purpose is accepted as one",
  async (mode) => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { security: mode, session: { strategy: "jwt" } })
    await browser.signInWith(op, { as: "ada" })
    const session = browser.cookies.find(({ name }) => name.includes("session-token"))
    const at = await begin(browser)
    const attempt = browser.cookies.find(({ name }) => name.includes("state."))
    if (session === undefined || attempt === undefined) throw new Error("Both cookies are needed")
    browser.jar.put({ ...attempt, value: session.value })
    browser.jar.put({ ...session, value: attempt.value })
    expect(await browser.session()).toBeNull()
    await browser.get(await answerOf(op, at), { from: op.issuer })
    expect(outcome(browser)).toBe("InvalidCheck")
    expect(op.requestsTo("token")).toHaveLength(1)
  },
)
