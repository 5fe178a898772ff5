import { randomBytes } from "node:crypto"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, WebAuthnConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { addAuthenticator, recordRequests } from "./authenticator.js"
import { inChromium } from "./chromium.js"
import { strictest } from "./host.js"
import { shoot } from "./looks.js"
import { type Answer, document, serve, type Web } from "./web.js"

/** A site with the built-in sign-in page. The passkey server behind the page is scripted and verifies nothing. */
interface Scripted extends Web {
  /** Query strings of the requests for options. */
  readonly queries: string[]
  /** Received forms. */
  readonly posted: Record<string, string>[]
  allowed: readonly string[]
  /** Answers instead of the options endpoint. */
  options: (() => Response) | undefined
  policy: ((nonce: string) => string) | undefined
}

async function openPage(passkey: Partial<WebAuthnConfig> = {}, config: Partial<AuthConfig> = {}): Promise<Scripted> {
  let answer: Answer = () => new Response(null, { status: 503 })
  const web = await serve((request) => answer(request), "localhost")
  const auth = createServer({
    secret: strongSecret,
    url: `${web.origin}/auth`,
    adapter: memoryAdapter(),
    experimental: { enableWebAuthn: true },
    logger: captureLog().logger,
    nonce: ({ headers }) => headers.get("x-nonce") ?? undefined,
    providers: [Passkey(passkey)],
    ...config,
  })
  const site: Scripted = { ...web, queries: [], posted: [], allowed: [], options: undefined, policy: undefined }
  answer = async (request) => {
    const { pathname, search } = new URL(request.url)
    if (pathname === "/auth/webauthn-options/passkey") {
      site.queries.push(search)
      return site.options?.() ?? optionsFor(search.includes("action=register") ? "register" : "authenticate", site)
    }
    if (pathname === "/auth/callback/passkey") {
      site.posted.push(Object.fromEntries(new URLSearchParams(await request.text())))
      return new Response(null, { status: 302, headers: { location: "/welcome" } })
    }
    if (!pathname.startsWith("/auth/")) return document(`<p id="who">${pathname}</p>`)
    const nonce = randomBytes(16).toString("base64")
    request.headers.set("x-nonce", nonce)
    const response = await auth.handle(request)
    if (site.policy) response.headers.append("content-security-policy", site.policy(nonce))
    return response
  }
  return site
}

function optionsFor(action: "register" | "authenticate", { allowed }: Scripted): Response {
  const challenge = randomBytes(32).toString("base64url")
  const list = allowed.map((id) => ({ id, type: "public-key" }))
  const creation = {
    challenge,
    rp: { id: "localhost", name: "Test" },
    user: { id: randomBytes(32).toString("base64url"), name: "ada@example.test", displayName: "Ada" },
    pubKeyCredParams: [-7, -257].map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: list,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  }
  const assertion = { challenge, rpId: "localhost", allowCredentials: list, userVerification: "required" }
  return Response.json({ action, options: action === "register" ? creation : assertion })
}

const signIn = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" })
const create = (page: Page) => page.getByRole("button", { name: "Create a passkey" })
const alert = (page: Page) => page.getByRole("alert")
const noAutofill = { enableConditionalUI: false }

/** Registers a passkey, and returns its id. */
async function register(page: Page, site: Scripted): Promise<string> {
  await page.goto(`${site.origin}/auth/signin`)
  await page.getByLabel("Email").fill("ada@example.test")
  await create(page).click()
  await page.waitForURL(`${site.origin}/welcome`)
  return JSON.parse(site.posted.at(-1)?.["data"] ?? "null").id
}

inChromium("the passkey form of the built-in page", (visit) => {
  test("registers a passkey and signs in with it, and posts the result as a form", async () => {
    const site = await openPage(noAutofill)
    const { page, complaints, asked } = await visit()
    await addAuthenticator(page)
    const id = await register(page, site)
    expect(site.queries).toEqual(["?email=ada%40example.test&action=register"])
    expect(site.posted[0]).toEqual({
      action: "register",
      data: expect.stringContaining("attestationObject"),
      csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/),
      callbackUrl: site.origin,
      email: "ada@example.test",
    })

    await page.goto(`${site.origin}/auth/signin?callbackUrl=%2Fa%2Fb/`)
    await signIn(page).click()
    await page.waitForURL(`${site.origin}/welcome`)
    expect(site.queries[1]).toBe("?email=&action=authenticate")
    expect(site.posted[1]).toMatchObject({ action: "authenticate", callbackUrl: `${site.origin}/a/b/` })
    expect(JSON.parse(site.posted[1]?.["data"] ?? "null")).toMatchObject({
      id,
      response: { userHandle: expect.any(String) },
    })
    expect(complaints).toEqual([])
    expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(new Set([site.origin]))
  })

  test("requires its fields to sign up, and the keyboard signs in", async () => {
    const site = await openPage(noAutofill)
    const { page } = await visit()
    await addAuthenticator(page)
    await page.goto(`${site.origin}/auth/signin`)
    await create(page).click()
    expect(site.queries).toEqual([])
    await register(page, site)
    await page.goto(`${site.origin}/auth/signin`)
    await page.getByLabel("Email").press("Enter")
    await page.waitForURL(`${site.origin}/welcome`)
    expect(site.posted.map(({ action }) => action)).toEqual(["register", "authenticate"])
  })

  test("shows that it waits, and a second attempt replaces the first", async () => {
    const site = await openPage(noAutofill)
    const { page, complaints } = await visit()
    const requests = await recordRequests(page)
    await addAuthenticator(page, { automaticPresenceSimulation: false })
    await page.goto(`${site.origin}/auth/signin`)
    await signIn(page).click()
    await expect.poll(() => page.getByRole("status").innerText()).toBe("Waiting for your browser…")
    await shoot(page, "passkey-waiting")
    await expect.poll(() => requests()).toEqual(["pending"])
    await signIn(page).click()
    await expect.poll(() => requests()).toEqual(["AbortError", "pending"])
    expect(await page.getByRole("status").innerText()).toBe("Waiting for your browser…")
    expect(await alert(page).innerText()).toBe("")
    expect(complaints).toEqual([])
  })

  test("says if the browser found no passkey or the user canceled, and works again after that", async () => {
    const site = await openPage(noAutofill)
    const { page, complaints } = await visit()
    const { session, authenticatorId } = await addAuthenticator(page)
    await page.goto(`${site.origin}/auth/signin`)
    await signIn(page).click()
    await expect.poll(() => alert(page).innerText()).toMatch(/^Either you canceled, .* no passkey for this site/)
    expect(await page.getByRole("status").innerText()).toBe("")
    await shoot(page, "passkey-canceled")
    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
    await page.getByLabel("Email").fill("ada@example.test")
    await create(page).click()
    await expect.poll(() => alert(page).innerText()).toMatch(/can't store a passkey/)
    expect(site.posted).toEqual([])
    await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true })
    await create(page).click()
    await page.waitForURL(`${site.origin}/welcome`)
    expect(complaints).toEqual([])
  })

  test("says if the device already has a passkey for the account", async () => {
    const site = await openPage(noAutofill)
    const { page } = await visit()
    await addAuthenticator(page)
    site.allowed = [await register(page, site)]
    await page.goto(`${site.origin}/auth/signin`)
    await page.getByLabel("Email").fill("ada@example.test")
    await create(page).click()
    await expect.poll(() => alert(page).innerText()).toMatch(/^This device already has a passkey/)
  })

  test("says if the device can't verify the user", async () => {
    const site = await openPage(noAutofill)
    const { page } = await visit()
    await addAuthenticator(page, {
      hasResidentKey: false,
      hasUserVerification: false,
      isUserVerified: false,
      transport: "usb",
    })
    await page.goto(`${site.origin}/auth/signin`)
    await page.getByLabel("Email").fill("ada@example.test")
    await create(page).click()
    await expect.poll(() => alert(page).innerText()).not.toBe("")
    expect(site.posted).toEqual([])
  })

  test.each([
    ["too many requests", () => new Response(null, { status: 429 }), "Too many attempts. Try again later."],
    [
      "refused details",
      () => Response.json({ error: "Invalid request" }, { status: 400 }),
      /^The server didn't accept/,
    ],
    ["a failure of the server", () => new Response(null, { status: 500 }), /^Something went wrong/],
    ["an answer that isn't JSON", () => new Response("<html>"), /^Something went wrong/],
  ])("shows an error for %s", async (_, options, text) => {
    const site = await openPage(noAutofill)
    site.options = options
    const { page } = await visit()
    await addAuthenticator(page)
    await page.goto(`${site.origin}/auth/signin`)
    await signIn(page).click()
    await expect.poll(() => alert(page).innerText()).toMatch(text)
    expect(site.posted).toEqual([])
  })

  test("works under the strictest policy of an application that allows requests to itself", async () => {
    const site = await openPage(noAutofill)
    site.policy = (nonce) => `${strictest(nonce)}; connect-src 'self'`
    const { page, complaints } = await visit()
    await addAuthenticator(page)
    await register(page, site)
    expect(complaints).toEqual([])
  })

  test("says so in a browser without WebAuthn or without JavaScript", async () => {
    const site = await openPage()
    const { page, complaints } = await visit()
    await page.addInitScript("delete window.PublicKeyCredential")
    await page.goto(`${site.origin}/auth/signin`)
    expect(await alert(page).innerText()).toMatch(/^This browser doesn't support passkeys/)
    expect(await signIn(page).isDisabled()).toBe(true)
    await shoot(page, "passkey-unsupported")
    const plain = await visit({ javaScriptEnabled: false })
    await plain.page.goto(`${site.origin}/auth/signin`)
    expect(await plain.page.locator("noscript p").isVisible()).toBe(true)
    await shoot(plain.page, "passkey-no-script")
    expect([...complaints, ...plain.complaints]).toEqual([])
  })
})

inChromium("the autofill of the built-in page", (visit) => {
  test("signs in without a button", async () => {
    const site = await openPage()
    const { page, complaints } = await visit()
    await addAuthenticator(page)
    await register(page, site)
    site.queries.length = 0
    await page.goto(`${site.origin}/auth/signin`)
    await page.waitForURL(`${site.origin}/welcome`)
    expect(site.queries).toEqual(["?action=authenticate"])
    expect(site.posted[1]).toMatchObject({ action: "authenticate", callbackUrl: site.origin })
    expect(complaints).toEqual([])
  })

  test("ends when the user selects a button, and is offered again after the user cancels", async () => {
    const site = await openPage()
    const { page, complaints } = await visit()
    await addAuthenticator(page)
    await page.goto(`${site.origin}/auth/signin`)
    await expect.poll(() => site.queries).toEqual(["?action=authenticate"])
    await signIn(page).click()
    await expect.poll(() => alert(page).innerText()).toMatch(/^Either you canceled/)
    await expect.poll(() => site.queries.length).toBe(3)
    expect(site.queries[2]).toBe("?action=authenticate")
    expect(complaints).toEqual([])
  })

  test("doesn't interrupt a button that the user selected before the browser was ready for it", async () => {
    const site = await openPage()
    const { page } = await visit()
    await page.addInitScript(`PublicKeyCredential.isConditionalMediationAvailable = () =>
      new Promise((resolve) => (window.makeReady = resolve))`)
    const requests = await recordRequests(page)
    await addAuthenticator(page, { automaticPresenceSimulation: false })
    await page.goto(`${site.origin}/auth/signin`)
    await signIn(page).click()
    await expect.poll(requests).toEqual(["pending"])
    await page.evaluate("makeReady(true), new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    expect(await requests()).toEqual(["pending"])
    expect(site.queries).toHaveLength(1)
  })

  test("shows no error if the server refuses", async () => {
    const site = await openPage()
    site.options = () => new Response(null, { status: 429 })
    const { page } = await visit()
    await addAuthenticator(page)
    await page.goto(`${site.origin}/auth/signin`)
    await expect.poll(() => site.queries.length).toBe(1)
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    expect(await alert(page).innerText()).toBe("")
  })
})
