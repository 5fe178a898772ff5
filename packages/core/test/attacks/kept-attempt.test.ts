import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import { type Browser, frozenClock, visit } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { strongSecret } from "../modes/setup.js"
import { site } from "./email-setup.js"

const name = "__Host-authjs.attempt"

const password = credentials({
  credentials: {
    username: {},
    password: { label: "Password" },
    pass: { type: "password" },
    email: { type: "password" },
    account: { type: "text", label: "Recovery code" },
    tenant: { type: "hidden" },
  },
  authorize: () => null,
})

const configOf = (mode: Mode): AuthConfig => ({
  security: mode,
  secret: strongSecret,
  url: "https://app.test/auth",
  logger: { error() {}, warn() {} },
  providers: [password],
})

async function refused(config: AuthConfig, fields: Record<string, string>): Promise<Browser> {
  const browser = await visit(config)
  await browser.get("/auth/signin")
  await browser.submitForm("/auth/callback/credentials", fields)
  expect(new URL(browser.location).searchParams.get("error")).toBe("CredentialsSignin")
  return browser
}

const cookieOf = (browser: Browser) => browser.cookies.find((cookie) => cookie.name === name)

const secrets = {
  password: "zzpassword",
  pass: "zzpass",
  email: "zzemail",
  account: "zzaccount",
  tenant: "zztenant",
}

attack("ADV-BA-02", "the page after a wrong password shows the name again, and never a secret", async (mode) => {
  const browser = await refused(configOf(mode), { username: "ada", ...secrets })
  expect(browser.text).toContain(`value="ada"`)
  expect(browser.text).not.toMatch(/zz(?:pass|email|account|tenant)/)
  expect(cookieOf(browser)).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax" })
})

attack("ADV-BA-02", "what was typed is nowhere in the URL, and the cookie doesn't show it", async (mode) => {
  const browser = await refused(configOf(mode), { username: "zzname", ...secrets })
  const said = browser.trail.flatMap(({ headers }) => [...headers].flat()).join()
  // A random value can contain "zz".
  for (const value of ["zzname", ...Object.values(secrets)]) expect(said).not.toContain(value)
})

attack("ADV-BA-02", "a forged, outdated or foreign cookie changes nothing on the page", async (mode) => {
  const config = configOf(mode)
  const eve = await refused(config, { username: "zzeve" })
  const kept = cookieOf(eve)
  if (kept === undefined) throw new Error("no cookie")
  const elsewhere = await refused({ ...config, secret: `another ${strongSecret}` }, { username: "zzother" })
  const values = [
    kept.value,
    `${kept.value.slice(0, -2)}AA`,
    cookieOf(elsewhere)?.value ?? "",
    "zz",
    "{}",
    "a.b.c.d.e",
    "",
  ]
  for (const value of values) {
    const victim = await visit(config)
    await victim.get("/auth/signin?error=CredentialsSignin")
    const before = victim.text
    victim.jar.put({ ...kept, value })
    await victim.get("/auth/signin?error=CredentialsSignin")
    expect(shapeOf(victim.text)).toBe(shapeOf(before))
    expect(victim.response.status).toBe(200)
  }
})

attack("ADV-BA-02", "the form of another site isn't kept", async (mode) => {
  const browser = await visit(configOf(mode))
  await browser.get("/auth/signin")
  await browser.post("/auth/callback/credentials", { username: "zzevil" }, { from: "https://evil.test/" })
  expect(cookieOf(browser)).toBeUndefined()
  await browser.get("/auth/signin")
  expect(browser.text).not.toContain("zzevil")
})

attack("ADV-BA-02", "an attempt is forgotten after ten minutes and after a sign-in", async (mode) => {
  const clock = frozenClock()
  const its = await site(mode, { rest: { rateLimit: false } })
  await its.browser.get("/auth/signin")
  await its.browser.submitForm("/auth/signin/email", { email: "ada@example.test" })
  expect(cookieOf(its.browser)).toBeDefined()
  await its.browser.get(its.mail.link())
  expect(cookieOf(its.browser)).toBeUndefined()
  const browser = await visit(configOf(mode), { clock })
  await browser.get("/auth/signin")
  await browser.submitForm("/auth/callback/credentials", { username: "zzada" })
  expect(browser.text).toContain("zzada")
  clock.advance(601_000)
  await browser.get("/auth/signin")
  expect(browser.text).not.toContain("zzada")
})

attack("ADV-BA-02", "the cookie after a request for an email doesn't tell whether the user exists", async (mode) => {
  const its = await site(mode, { rest: { rateLimit: false } })
  await its.store.createUser({ id: "1", name: "Ada", email: "known@example.test", emailVerified: null })
  const sizes = []
  for (const email of ["known@example.test", "other@example.test"]) {
    await its.browser.get("/auth/signin")
    await its.browser.submitForm("/auth/signin/email", { email })
    sizes.push(cookieOf(its.browser)?.value.length)
  }
  expect(sizes[0]).toBeGreaterThan(0)
  expect(sizes[1]).toBe(sizes[0])
})

/** The page without its random values. */
function shapeOf(page: string): string {
  return page.replace(/nonce="[^"]*"/g, "")
}
