import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, CredentialsConfig } from "@latchkey/core/types"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession } from "../flows/signin/setup.js"
import { strongSecret } from "../modes/setup.js"

type Authorize = CredentialsConfig["authorize"]

const ada = { id: "ada", name: "Ada", email: "ada@example.test" }

async function site(mode: Mode, authorize: Authorize, rest: Partial<AuthConfig> = {}) {
  const log = captureLog()
  const provider = credentials({ credentials: { name: {}, password: { type: "password" } }, authorize })
  const config = { security: mode, secret: strongSecret, url: "https://app.test/auth", logger: log.logger } as const
  return { log, browser: await visit({ ...config, providers: [provider], ...rest }) }
}

const typed = { name: "ada", password: "hunter2-hunter2" }

/** Return values of `authorize` that are not a user with an id. */
const nonUsers: readonly unknown[] = [
  {},
  [],
  [ada],
  true,
  1,
  "x",
  "ada",
  Symbol("ada"),
  1n,
  new Map([["id", "ada"]]),
  new Response("ada"),
  () => ada,
  Object.assign(() => ada, { id: "ada" }),
  { error: "bad" },
  { user: ada },
  { id: "" },
  { id: null },
  { id: undefined },
  { id: Number.NaN },
  { id: Infinity },
  { id: true },
  { id: {} },
  { id: ["ada"] },
  { id: Symbol("ada") },
  { id: () => "ada" },
  { ID: "ada" },
  { _id: "ada" },
  { email: "ada@example.test" },
]

const withoutId = "a result of `authorize` that isn't a user with an id does not sign in under strict"

attack("CRED-02", `${withoutId}; otherwise a user without an id gets a random one`, async (mode) => {
  const falsy: readonly unknown[] = [null, undefined, false, 0, "", Number.NaN]
  for (const value of [...falsy, ...nonUsers]) {
    let returned: unknown
    const { browser, log } = await site(mode, async () => {
      returned = value
      return returned as never
    })
    await browser.signIn("credentials", typed)
    const signsIn = mode === "compatible" && typeof value === "object" && value !== null
    const error = falsy.includes(value) ? "/auth/signin CredentialsSignin" : "/auth/error Configuration"
    expect(errorAt(browser), String(returned)).toBe(signsIn ? "/ null" : error)
    expect(browser.trail[0]?.status).toBe(302)
    expect(hasSession(browser)).toBe(signsIn)
    if (!signsIn) expect(await browser.session()).toBeNull()
    const isNamed = Array.isArray(Object(value)["id"])
    const warned = log.entries.some(({ message }) => message === "user-without-id")
    expect(warned, String(returned)).toBe(signsIn && !isNamed)
  }
})

attack("CRED-02", "an id that is a string or a number is the one in the session", async (mode) => {
  for (const id of ["ada", "0", 7, 0]) {
    const subjects: unknown[] = []
    const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = ({ token }) => (subjects.push(token.sub), token)
    const { browser } = await site(mode, async () => ({ ...ada, id }) as never, { callbacks: { jwt } })
    await browser.signIn("credentials", typed)
    expect(subjects[0]).toBe(String(id))
    expect(await emailOf(browser)).toBe(ada.email)
  }
})

function throwing(fault: unknown): Authorize {
  return () => {
    throw fault
  }
}

attack("CRED-03", "an unknown user and a wrong password get the same response", async (mode) => {
  const answers: unknown[] = []
  const refusals: Authorize[] = [() => null, throwing(new CredentialsSignin("no such user ada"))]
  for (const authorize of refusals) {
    const { browser } = await site(mode, authorize)
    await browser.signIn("credentials", typed)
    const [first] = browser.trail
    answers.push([first?.status, browser.location, browser.response.status, [...(first?.headers.keys() ?? [])]])
    expect(browser.location).toBe("https://app.test/auth/signin?error=CredentialsSignin&code=credentials")
    expect(browser.text).not.toContain("no such user")
  }
  expect(answers[0]).toEqual(answers[1])
})

attack("CRED-03", "an error thrown by `authorize` is logged and not sent to the browser", async (mode) => {
  const answers = new Set<string>()
  const faults = [
    new Error("no such user"),
    new TypeError("wrong password"),
    "database at 10.0.0.7 is down",
    { message: "no such user" },
  ]
  for (const fault of faults) {
    const { browser, log } = await site(mode, throwing(fault))
    await browser.signIn("credentials", typed)
    expect(hasSession(browser)).toBe(false)
    const body = browser.text.replaceAll(/nonce[-="][^"' ;]*/g, "").replaceAll(/Error ID:[^<]*/g, "")
    for (const secret of ["no such user", "wrong password", "10.0.0.7", typed.password]) {
      expect(browser.text + browser.location).not.toContain(secret)
    }
    const at = new URL(browser.location)
    at.searchParams.delete("id")
    answers.add(JSON.stringify([browser.trail[0]?.status, at.href, browser.response.status, body.length > 0]))
    const [entry] = log.entries.filter(({ level }) => level === "error")
    const told = typeof fault === "string" ? fault : fault instanceof Error ? fault.message : "CallbackRouteError"
    expect(entry?.text).toContain(told)
  }
  expect([...answers]).toEqual([JSON.stringify([302, "https://app.test/auth/error?error=Configuration", 500, true])])
})

class Odd extends CredentialsSignin {
  override code = "a&error=AccessDenied#<script>\r\nSet-Cookie: x=y"
}

attack("CRED-03", "a custom error code stays one query parameter, whatever it contains", async (mode) => {
  const { browser } = await site(mode, throwing(new Odd("the account of ada is locked")))
  await browser.signIn("credentials", typed)
  const { searchParams, hash, pathname } = new URL(browser.location)
  expect([pathname, searchParams.getAll("error"), hash]).toEqual(["/auth/signin", ["CredentialsSignin"], ""])
  expect(searchParams.get("code")).toBe(new Odd().code)
  expect(browser.cookies.map(({ name }) => name)).not.toContain("x")
  expect(browser.text).not.toContain("<script>\r\n")
  expect(browser.text + browser.location).not.toContain("locked")
})

attack("CRED-05", "credentials with database sessions create a row for the cookie", async (mode) => {
  const store = memoryAdapter()
  await store.createUser({ ...ada, emailVerified: null })
  const rest = { adapter: store, session: { strategy: "database" } } as const
  const op = createProvider()
  const provider = credentials({ credentials: { name: {} }, authorize: () => ada })
  const { browser } = await site(mode, () => ada, { ...rest, providers: [provider, op.provider()] })
  await browser.signIn("credentials", typed)
  expect(store.rows().sessions).toMatchObject([{ userId: "ada" }])
  const cookie = browser.cookies.find(({ name }) => name.includes("session-token"))?.value ?? ""
  expect(cookie.split(".").length, "a JWE has five parts").toBeLessThan(5)
  expect(await emailOf(browser)).toBe(ada.email)
  await store.deleteSession(store.rows().sessions[0]?.sessionToken ?? "")
  expect(await browser.session()).toBeNull()
})

attack(
  "CRED-05",
  "a user missing in the database gets an error and no cookie; credentials alone with database sessions are a configuration error",
  async (mode) => {
    const strategy = { session: { strategy: "database" } } as const
    const op = createProvider()
    const provider = credentials({ credentials: { name: {} }, authorize: () => ada })
    const store = memoryAdapter()
    const stranger = await site(mode, () => ada, { ...strategy, adapter: store, providers: [provider, op.provider()] })
    await stranger.browser.signIn("credentials", typed)
    expect(errorAt(stranger.browser)).toBe("/auth/error Configuration")
    expect(hasSession(stranger.browser)).toBe(false)
    expect(store.rows().sessions).toEqual([])
    const { browser, log } = await site(mode, () => ada, strategy)
    await browser.post("/auth/callback/credentials", typed)
    expect(browser.response.status).toBe(500)
    expect(hasSession(browser)).toBe(false)
    expect(log.entries.some(({ text }) => text.includes("UnsupportedStrategy"))).toBe(true)
  },
)
