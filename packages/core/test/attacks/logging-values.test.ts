import { inspect } from "node:util"
import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth, customFetch } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, type CapturedLog, createProvider } from "@latchkey/testing"
import { expect, vi } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { csrfPair } from "../http/app.js"
import { appOf, mailer, strongSecret, world } from "../modes/setup.js"
import { site } from "./surface-setup.js"

/** How an error of other code may quote what it was given. */
const quotes: readonly ((value: unknown) => string)[] = [
  (value) => `failed: ${String(value)}`,
  (value) => `failed: ${encodeURIComponent(String(value))}`,
  (value) => `failed: ${Buffer.from(String(value)).toString("base64")}`,
  (value) => `failed: ${JSON.stringify({ value })}`,
  (value) => `failed: ${Buffer.from(String(value)).toString("hex").toUpperCase()}`,
]

/** Throws an error that has the value everywhere: in its message, properties, causes and lists. */
function fail(text: string): never {
  const inner = Object.assign(new Error(`inner ${text}`), { detail: text, row: { note: [text] } })
  throw Object.assign(new AggregateError([inner], text, { cause: inner }), { query: `insert ${text}` })
}

/** A memory adapter with one method that fails and quotes its arguments. */
function quoting(method: keyof MemoryAdapter, quote: (value: unknown) => string): MemoryAdapter {
  const adapter = memoryAdapter()
  const failing = (...args: readonly unknown[]) => fail(quote(JSON.stringify(args)))
  return { ...adapter, [method]: failing, transaction: undefined } as unknown as MemoryAdapter
}

function assertLogged(log: CapturedLog, ...secrets: readonly string[]): void {
  const values = secrets.flatMap((secret) => [
    ...quotes.map((quote) => quote(secret).slice("failed: ".length)),
    Buffer.from(secret).toString("hex"),
  ])
  expect(log.entries.length).toBeGreaterThan(0)
  expect(log.entries.some(({ text }) => text.includes("[redacted]"))).toBe(true)
  for (const { text } of log.entries) for (const value of values) expect(text).not.toContain(value)
}

attack(
  "ADV-NA-06",
  "an adapter that quotes the row of an account does not bring its tokens into the log",
  async (mode) => {
    for (const quote of quotes) {
      const its = { ...world(), adapter: quoting("linkAccount", quote) }
      const log = captureLog()
      const own = { mode, providerTokens: "plain" } as const
      const providers = [its.op.provider()]
      const browser = await appOf(its, { security: own, providers, logger: log.logger })
      await browser.signInWith(its.op, { as: "ada" })
      const shown = its.op.requestsTo("userinfo").map(({ headers }) => headers.get("authorization")?.slice(7) ?? "")
      assertLogged(log, ...shown)
    }
  },
)

attack("ADV-NA-06", "a mailer that quotes the link does not bring it into the log", async (mode) => {
  for (const quote of quotes) {
    const links: string[] = []
    const send = ({ url }: { readonly url: string }) => {
      links.push(url)
      fail(quote(url))
    }
    const { provider } = mailer({ sendVerificationRequest: send })
    const { browser, log } = await site(mode, { providers: [provider] })
    await browser.signIn("mail", { email: "ada@example.test" })
    const [link = ""] = links
    assertLogged(log, link, new URL(link).searchParams.get("token") ?? "")
  }
})

const passwords = ["hunter2", "correct horse battery", 'q"uo\\te&<d> pä$$']

/** A credentials provider that fails and quotes what was typed. */
function leaky(quote: (value: unknown) => string, seen: Error[]): NonNullable<AuthConfig["providers"]> {
  const authorize = ({ password }: Partial<Record<string, unknown>>) => {
    try {
      return fail(quote(password))
    } catch (error) {
      if (error instanceof Error) seen.push(error)
      throw error
    }
  }
  return [credentials({ credentials: { name: {}, password: { type: "password" } }, authorize })]
}

attack("ADV-NA-06", "authorize that quotes the password does not bring it into the log", async (mode) => {
  for (const password of passwords) {
    for (const quote of quotes.slice(0, 4)) {
      const { browser, log } = await site(mode, { providers: leaky(quote, []) })
      await browser.signIn("credentials", { name: "ada", password })
      const values = [password, encodeURIComponent(password), JSON.stringify(password).slice(1, -1)]
      expect(log.entries.length).toBeGreaterThan(0)
      for (const { text } of log.entries) for (const value of values) expect(text).not.toContain(value)
    }
  }
})

/** A request of a runtime that makes its headers for each access. */
class RequestWithoutHeaders extends Request {
  override get headers(): Headers {
    return new Headers(super.headers)
  }
}

attack("ADV-NA-06", "a request that makes its headers anew does not bring the password into the log", async (mode) => {
  const provider = credentials({
    credentials: { password: {} },
    authorize: ({ password }) => fail(`no user with ${String(password)}`),
  })
  const log = captureLog()
  const config = { secret: strongSecret, url: "https://app.test", security: mode, providers: [provider] }
  const send = async (path: string, init?: RequestInit) =>
    Auth(new RequestWithoutHeaders(`https://app.test${path}`, init), { ...config, logger: log.logger })
  const { token, cookie } = await csrfPair(send)
  const body = new URLSearchParams({ csrfToken: token, password: "correct horse" })
  await send("/auth/callback/credentials", { method: "POST", headers: { cookie }, body })
  assertLogged(log, "correct horse", cookie.split("=")[1] ?? "")
})

attack("ADV-NA-06", "the application's own error stays as it was thrown", async (mode) => {
  const seen: Error[] = []
  const { browser, log } = await site(mode, { providers: leaky((value) => `no: ${String(value)}`, seen) })
  await browser.signIn("credentials", { name: "ada", password: "hunter2" })
  expect(seen.map(({ message }) => message)).toEqual(["no: hunter2"])
  expect(inspect(seen[0])).toContain("insert no: hunter2")
  const logged = log.entries.map(({ detail }) => detail).find((detail) => detail instanceof AuthError)
  expect(logged?.cause?.err).toBeInstanceOf(AggregateError)
})

attack("ADV-NA-06", "a request whose URL has the code does not bring it into the log when it fails", async (mode) => {
  const op = createProvider()
  const sent: string[] = []
  const failing: typeof op.fetch = async (input, init) => {
    if (!String(input).endsWith("/token")) return op.fetch(input, init)
    const form = new URLSearchParams(String(init?.body))
    const [code, verifier] = [form.get("code") ?? "", form.get("code_verifier") ?? ""]
    sent.push(code, verifier)
    throw new TypeError("fetch failed", { cause: new Error(`GET https://op.test/token/${code}#${verifier} timed out`) })
  }
  const { browser, log } = await site(mode, { providers: [{ ...op.provider(), [customFetch]: failing }] })
  await browser.signInWith(op, { as: "ada" })
  expect(sent).toHaveLength(2)
  assertLogged(log, ...sent)
})

attack("ADV-NA-06", "a driver that quotes the row of a session does not bring its token into the log", async (mode) => {
  for (const method of ["getSessionAndUser", "createSession", "deleteSession"] as const) {
    const its = world()
    const log = captureLog()
    const tokens: string[] = []
    const failing = (row: string | { readonly sessionToken: string }) => {
      tokens.push(typeof row === "string" ? row : row.sessionToken)
      return fail(`Key (session_token)=(${JSON.stringify(row)}) failed`)
    }
    const wrapped = { ...its.adapter, transaction: undefined } as unknown as MemoryAdapter
    let isBroken = false
    const adapter: MemoryAdapter = {
      ...wrapped,
      [method]: (row: never) => (isBroken ? failing(row) : wrapped[method](row)),
    }
    const given: Partial<AuthConfig> = { security: mode, session: { strategy: "database" }, logger: log.logger }
    const browser = await appOf({ ...its, adapter }, { ...given, providers: [its.op.provider()] })
    if (method !== "createSession") await browser.signInWith(its.op, { as: "ada" })
    isBroken = true
    if (method === "createSession") await browser.signInWith(its.op, { as: "ada" })
    else if (method === "deleteSession") await browser.signOut()
    else await browser.session()
    expect(tokens.length).toBeGreaterThan(0)
    assertLogged(log, ...tokens)
  }
})

attack(
  "ADV-NA-06",
  "a handler of an event that quotes the account does not bring its tokens into the log",
  async (mode) => {
    const quoted: string[] = []
    const signIn = ({ account }: { readonly account?: { readonly access_token?: string | undefined } | null }) => {
      quoted.push(account?.access_token ?? "")
      fail(`could not write ${account?.access_token}`)
    }
    const { browser, log, its } = await site(mode, { events: { signIn } })
    await browser.signInWith(its.op, { as: "ada" })
    expect(quoted).toEqual([expect.stringMatching(/.{8}/)])
    assertLogged(log, ...quoted)
  },
)

attack("LOG-05", "the event of a failed sign-in has neither the password nor a cookie", async (mode) => {
  const told: string[] = []
  const signInFailure = async (message: { readonly error: Error; readonly request?: Request }) => {
    const { request } = message
    told.push(inspect(message, { depth: 20 }), JSON.stringify([...(request?.headers ?? [])]), request?.url ?? "")
    told.push((await request?.text()) ?? "")
  }
  const quote = (value: unknown) => `no: ${String(value)}`
  const { browser } = await site(mode, { providers: leaky(quote, []), events: { signInFailure } })
  await browser.signIn("credentials", { name: "ada", password: "hunter2" })
  const text = told.join("\n")
  expect(text).toContain('"name":"ada"')
  expect(text).not.toContain("hunter2")
  expect(text).not.toMatch(/"cookie"/)
  for (const { value } of browser.cookies) expect(text).not.toContain(value.split(/%7C|\|/)[0])
})

attack("LOG-02", "the console gets no value in flight either", async (mode) => {
  const lines: string[] = []
  for (const level of ["error", "warn", "log"] as const)
    vi.spyOn(console, level).mockImplementation((...parts) => void lines.push(parts.join(" ")))
  const its = world()
  const providers = leaky((value) => `no: ${String(value)} and ${strongSecret}`, [])
  const browser = await appOf(its, { security: mode, providers, logger: {}, debug: true })
  await browser.signIn("credentials", { name: "ada", password: "hunter2" })
  vi.restoreAllMocks()
  expect(lines.join("\n")).toContain("no: [redacted] and [redacted]")
  expect(lines.join("\n")).not.toMatch(/hunter2/)
})

/** A code is short, so only the whole word is removed. */
attack("ADV-NA-06", "the code from an email does not come into the log", async (mode: Mode) => {
  const codes: string[] = []
  const sendVerificationRequest = ({ code }: { readonly code?: string | undefined }) => {
    codes.push(code ?? "")
    fail(`could not send "Your code is ${code}"`)
  }
  const { provider } = mailer({ code: true, sendVerificationRequest })
  const { browser, log } = await site(mode, { providers: [provider] })
  await browser.signIn("mail", { email: "ada@example.test" })
  expect(codes).toEqual([expect.stringMatching(/^\d{6}$/)])
  for (const { text } of log.entries) expect(text).not.toContain(codes[0])
})
