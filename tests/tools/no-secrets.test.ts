import credentials from "../../packages/core/src/providers/credentials.js"
import { captureLog, createProvider, visit } from "../../packages/testing/src/index.js"
import { beforeAll, describe, expect, test, vi } from "vitest"
import { trackSecret, trackCookies } from "../../packages/testing/src/secrets.js"
import { leaksIn, levels, listenTo } from "../leaks.js"

const token = "t0ken/of+a-user"

/** Each of these tests passes by itself. The setup file must make it fail. */
describe("a test fails when a known secret is logged", () => {
  beforeAll(() => trackSecret("secret of the file", "made-before-the-first-test"))

  test.fails.each(levels)("with console.%s", (level) => {
    trackSecret("token", token)
    const own: Partial<Record<string, (...args: unknown[]) => void>> = { [level]: () => undefined }
    listenTo(own)
    own[level]?.("the answer was", { deep: { in: { it: [token] } } })
  })

  test.fails("through a console method that the test replaced", () => {
    trackSecret("token", token)
    vi.spyOn(console, "warn").mockImplementation(() => undefined)
    console.warn(`refused ${token}`)
  })

  test.fails("in a captured log, in the cause of an error", () => {
    trackSecret("token", token)
    captureLog().logger.error(new Error("refused", { cause: { err: new Error(`of ${token}`) } }))
  })

  test.fails("before the test registers the secret", () => {
    captureLog().logger.debug("refused", { token })
    trackSecret("token", token)
  })

  test.fails("that was registered before the first test", () => {
    captureLog().logger.debug("made-before-the-first-test")
  })

  test.fails("in its URL-encoded form", () => {
    trackSecret("token", token)
    captureLog().logger.debug(`https://app.test/?token=${encodeURIComponent(token)}`)
  })

  test("a console with a listener still writes its arguments", () => {
    const written = vi.fn()
    const own = { warn: written }
    listenTo(own)
    own.warn("one", { two: 3 })
    expect(written.mock.calls).toEqual([["one", { two: 3 }]])
  })

  test("but not without a secret in the log", () => {
    trackSecret("token", token)
    captureLog().logger.debug("refused", { token: "[redacted]" })
  })

  test("but not for short values, and not for callback URLs", () => {
    trackSecret("password", "open")
    trackCookies(["authjs.callback-url=https%3A%2F%2Fapp.test%2Finbox; Path=/; HttpOnly", "theme=very-dark-indeed"])
    captureLog().logger.debug("opened https%3A%2F%2Fapp.test%2Finbox very-dark-indeed")
  })

  test("but not for secrets of an earlier test", () => {
    captureLog().logger.debug(token)
  })
})

/** The engine logs errors of the application. An error with a secret in its message is a leak. */
describe("the setup knows the secrets of browsers and providers", () => {
  const code = credentials({
    credentials: { name: {}, password: {} },
    authorize: ({ password }) => {
      console.error(`no such password: ${String(password)}`)
      return null
    },
  })

  test.fails("a password, in a visit without a logger", async () => {
    const browser = await visit({ providers: [code] })
    await browser.signIn("credentials", { name: "ada", password: "correct horse battery" })
  })

  test.fails("a password, in a visit with a custom logger", async () => {
    const browser = await visit({ providers: [code], logger: { error: () => undefined } })
    await browser.signIn("credentials", { name: "ada", password: "correct horse battery" })
  })

  test.fails.each(["access_token", "refresh_token", "id_token"] as const)("the %s of a provider", async (name) => {
    const op = createProvider()
    const jwt = ({ account }: { account?: object | null }) => {
      console.error(`cannot use ${String(Object.entries(account ?? {}).find(([key]) => key === name)?.[1])}`)
      return {}
    }
    const browser = await visit({ providers: [op.provider()], callbacks: { jwt } })
    await browser.signInWith(op, { as: "ada" })
  })

  test.fails.each(["code", "code_verifier"])("the %s of a token request", async (name) => {
    const op = createProvider()
    const log = captureLog()
    const browser = await visit({ providers: [op.provider()] })
    await browser.signInWith(op, { as: "ada" })
    log.logger.debug(`sent ${op.requestsTo("token")[0]?.form.get(name)}`)
  })

  test.fails.each(["session-token", "csrf-token", "state"])("the value of the %s cookie", async (name) => {
    const op = createProvider()
    const log = captureLog()
    const browser = await visit({ providers: [op.provider()] })
    await browser.signInWith(op, { as: "ada" })
    await browser.signIn("op")
    log.logger.debug(`has ${browser.cookies.find((cookie) => cookie.name.includes(name))?.value}`)
  })

  test.fails("a code that was never exchanged", async () => {
    const op = createProvider()
    const browser = await visit({ providers: [op.provider()] })
    await browser.signIn("op")
    const answer = await op.authorize(browser.location, { as: "ada" })
    captureLog().logger.debug(`came with ${answer.method === "GET" ? answer.location : ""}`)
  })

  test.fails("the token in the CSRF cookie, without its hash", () => {
    trackCookies(["authjs.csrf-token=0123456789abcdef%7Cfedcba9876543210; Path=/; HttpOnly"])
    captureLog().logger.debug("0123456789abcdef")
  })

  test.fails("the token of an opened link", async () => {
    const log = captureLog()
    const browser = await visit({ providers: [code] })
    await browser.get(`/auth/callback/email?token=${"1f".repeat(32)}`)
    log.logger.debug("1f".repeat(32))
  })

  test.fails("the CSRF token", async () => {
    const log = captureLog()
    const browser = await visit({ providers: [code] })
    log.logger.debug(`has ${await browser.csrf()}`)
  })

  test.fails("the client secret", async () => {
    const op = createProvider({ clientSecret: "a-client-secret-of-this-test" })
    await visit({ providers: [op.provider()] })
    captureLog().logger.debug("a-client-secret-of-this-test")
  })

  test.fails("the secret of the configuration", async () => {
    await visit({
      providers: [code],
      secret: ["k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG", "2mQ7o3nT9xZ4hB6sD1fGk0Wc5v2uYl1u8"],
    })
    captureLog().logger.debug("2mQ7o3nT9xZ4hB6sD1fGk0Wc5v2uYl1u8")
  })
})

describe("the report of a leak", () => {
  test("has the kind and the text around the secret, but not the secret", () => {
    const secrets = [{ kind: "token", value: token }]
    expect(leaksIn([`before ${token} after`, "nothing"], secrets)).toEqual([
      "A log contains a token: before <token> after",
    ])
  })

  test("replaces the longer secret if one contains the other", () => {
    const secrets = [
      { kind: "token", value: "the-token" },
      { kind: "cookie", value: "the-token.and-its-hash" },
    ]
    expect(leaksIn(["set the-token.and-its-hash"], secrets)).toEqual(["A log contains a cookie, a token: set <cookie>"])
  })

  test("is limited to the text around the secret", () => {
    const long = `${"<x>".repeat(1000)} ${token} ${"<y>".repeat(1000)}`
    const [leak = ""] = leaksIn([long], [{ kind: "token", value: token }])
    expect(leak).toContain("<x> <token> <y>")
    expect(leak.length).toBeLessThan(700)
  })

  test("contains a repeated text once", () => {
    expect(leaksIn([token, token], [{ kind: "token", value: token }])).toHaveLength(1)
  })
})
