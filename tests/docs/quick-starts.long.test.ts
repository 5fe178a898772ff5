import { rm } from "node:fs/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { browse } from "../applications/http.js"
import { follow, packPackages } from "./quick-start.js"

/** npm installs from the registry here, which can be slow; each takes 5 to 40 seconds. */
const timeout = 600_000

let packed = ""

beforeAll(async () => {
  packed = await packPackages(["client", "core", "express", "next", "react", "sql"])
}, timeout)

afterAll(async () => rm(packed, { recursive: true, force: true }))

test("the quick start for Next.js leads to GitHub", { timeout }, async () => {
  const { origin } = await follow("Quick start: Next.js", packed)
  const browser = browse(origin, "/api/auth")

  await browser.get("/")
  expect(browser.text).toContain('<a href="/api/auth/signin">Sign in</a>')

  await browser.get("/api/auth/signin")
  expect(browser.text).toContain("Sign in with GitHub")
  await browser.submitForm("signin/github")
  const { origin: provider, searchParams } = new URL(browser.location)
  expect(provider).toBe("https://github.com")
  expect(searchParams.get("client_id")).toBe("your-client-id")
  expect(searchParams.get("redirect_uri")).toBe(`${origin}/api/auth/callback/github`)
})

test("the quick start for Express signs in with a password", { timeout }, async () => {
  const { origin } = await follow("Quick start: Express", packed)
  const browser = browse(origin, "/auth")

  await browser.get("/")
  expect(new URL(browser.location).pathname).toBe("/auth/signin")
  await browser.submitForm("callback/credentials", { name: "ada", password: "wrong" })
  expect(browser.location).toContain("error=CredentialsSignin")

  await browser.submitForm("callback/credentials", { name: "ada", password: "lovelace" })
  expect(browser.location).toBe(`${origin}/`)
  expect(JSON.parse(browser.text)).toMatchObject({ user: { name: "Ada" } })
})

test("the quick start for Request and Response signs in with the link in the terminal", { timeout }, async () => {
  const { origin, output } = await follow("Quick start: Request and Response", packed)
  const browser = browse(origin, "/auth")

  await browser.get("/")
  expect(new URL(browser.location).pathname).toBe("/auth/signin")
  await browser.submitForm("signin/email", { email: "ada@example.com" })
  const link = () => /Link for ada@example\.com: (\S+)/.exec(output())?.[1] ?? ""
  await expect.poll(link).toContain("/auth/callback/email")
  await browser.get(link())
  expect(JSON.parse(browser.text)).toMatchObject({ user: { email: "ada@example.com" } })
})
