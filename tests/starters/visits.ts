import assert from "node:assert/strict"
import { Auth } from "@latchkey/core"
import { withEnv } from "@latchkey/core/env"
import credentials from "@latchkey/core/providers/credentials"
import github from "@latchkey/core/providers/github"
import { openBrowser } from "@latchkey/testing"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { browse, type RawResponse, send } from "../applications/http.js"
import { assertLook } from "./look.js"
import type { Starter, Variables, Visit } from "./starter.js"

/** A running application. */
export interface Site extends Pick<Starter, "id" | "basePath" | "visit" | "signInPage"> {
  readonly origin: string
  readonly values: Variables
  /** Replaces the pictures instead of comparing with them. */
  readonly writesPictures: boolean
  /** Everything that it has written to the terminal. */
  output(): string
}

/** What every application does, whatever its framework. A failure is an error. */
export const visits: Readonly<Record<string, (site: Site, chromium?: Browser) => Promise<void>>> = {
  async "the home page opens"(site) {
    if (site.visit.account !== "/") assert.equal((await open(site, "/")).status, 200)
  },

  async "a page that needs a session leads to the sign-in page"(site) {
    const { status, headers } = await open(site, site.visit.account)
    assert.ok([302, 303, 307].includes(status), `status ${status}`)
    const target = new URL(headers.get("location") ?? "", site.origin)
    assert.equal(target.origin + target.pathname, `${site.origin}${site.basePath}/signin`)
    const back = new URL(target.searchParams.get("callbackUrl") ?? "", site.origin)
    assert.equal(back.origin + back.pathname, site.origin + site.visit.account)
  },

  async "the providers are listed"(site) {
    const { text } = await open(site, `${site.basePath}/providers`)
    const { github } = JSON.parse(text) as { readonly github?: { readonly callbackUrl: string } }
    assert.equal(github?.callbackUrl, `${site.origin}${site.basePath}/callback/github`)
  },

  async "the button of the sign-in page leads to GitHub"(site) {
    const browser = browse(site.origin, site.basePath)
    await browser.get(`${site.basePath}/signin`)
    assert.ok(browser.text.includes("Sign in with GitHub"), "the page has no such button")
    await browser.submitForm("signin/github")
    assertAuthorization(site, browser.location)
  },

  async "the user sees the page that needs a session"(site) {
    const { status, text } = await open(site, site.visit.account, { cookie: await sessionCookie(site) })
    assert.equal(status, 200)
    assert.ok(text.includes("Ada Lovelace"), "the page doesn't show the user")
  },

  async "Chromium shows the pages without errors"(site, chromium) {
    if (chromium === undefined) return
    const [page, complaints] = await pageIn(chromium)
    for (const path of ["/", `${site.basePath}/signin`]) await page.goto(site.origin + path)
    await setSession(page, site)
    await page.goto(site.origin + site.visit.account)
    await page
      .getByText(/Ada Lovelace/)
      .first()
      .waitFor()
    await page.context().close()
    assert.deepEqual(complaints, [])
  },

  async "the button of the guide signs in"(site, chromium) {
    if (chromium === undefined || site.visit.signIn === undefined) return
    const [page, complaints] = await pageIn(chromium)
    await page.goto(site.origin + site.visit.signIn.path, idle)
    const [request] = await Promise.all([
      page.waitForRequest("https://github.com/**"),
      page.getByRole("button", { name: site.visit.signIn.button }).click(),
    ])
    assertAuthorization(site, request.url())
    await page.context().close()
    assert.deepEqual(complaints, [])
  },

  async "the button of the guide signs out"(site, chromium) {
    if (chromium === undefined || site.visit.signOut === undefined) return
    const [page, complaints] = await pageIn(chromium)
    await setSession(page, site)
    await page.goto(site.origin + site.visit.signOut.path, idle)
    await page.getByRole("button", { name: site.visit.signOut.button }).click()
    await page
      .getByText(/Sign in|Hello visitor/)
      .first()
      .waitFor()
    const cookies = await page.context().cookies()
    assert.deepEqual(
      cookies.filter(({ name }) => name === cookieName),
      [],
    )
    await page.context().close()
    assert.deepEqual(complaints, [])
  },

  async "the sign-in page can be read in light and dark, and looks as in its picture"(site, chromium) {
    if (chromium === undefined || site.signInPage === undefined) return
    for (const colorScheme of ["light", "dark"] as const) {
      const [page, complaints] = await pageIn(chromium, { colorScheme, viewport: { width: 640, height: 800 } })
      if (site.visit.isClient === true) await answerAuthRoutes(page, site)
      await page.goto(site.origin + site.signInPage.path, idle)
      await assertLook(page, `${site.id}-${colorScheme}.png`, site.writesPictures)
      await page.context().close()
      assert.deepEqual(complaints, [])
    }
  },

  async "the terminal shows no error"({ output }) {
    const lines = output().split("\n")
    assert.deepEqual(
      lines.filter((line) => /\berror\b|\bwarn(?:ing)?\b|deprecat/i.test(line)),
      [],
    )
  },
}

/** Opens the pages once, because a development server reloads them when it finds a dependency. */
export async function warmUp(site: Site, chromium: Browser): Promise<void> {
  const [page] = await pageIn(chromium)
  if (site.visit.isClient === true) await answerAuthRoutes(page, site)
  await setSession(page, site)
  for (const path of ["/", site.visit.account, site.signInPage?.path ?? "/"]) await page.goto(site.origin + path, idle)
  await page.context().close()
}

/** What every application does, or what one does that has no auth routes. */
export function visitsOf({ isClient = false }: Visit): typeof visits {
  const ofClient = ([title]: readonly [string, unknown]) => /^the (?:home|sign-in) page|^the terminal/.test(title)
  return isClient ? Object.fromEntries(Object.entries(visits).filter(ofClient)) : visits
}

/** A development server can load a page twice, because it finds dependencies while the page loads. */
const idle = { waitUntil: "networkidle" } as const

const headers = {
  accept: "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  "sec-fetch-site": "none",
}

function open(site: Site, path: string, more: Variables = {}): Promise<RawResponse> {
  return send(site.origin, path, { headers: { ...headers, host: new URL(site.origin).host, ...more } })
}

function assertAuthorization({ origin, basePath, values }: Site, location: string): void {
  const { host, pathname, searchParams } = new URL(location)
  assert.equal(host + pathname, "github.com/login/oauth/authorize")
  assert.equal(searchParams.get("client_id"), values["AUTH_GITHUB_ID"])
  assert.equal(searchParams.get("redirect_uri"), `${origin}${basePath}/callback/github`)
}

/** On http, the names of cookies have no prefix. */
const cookieName = "authjs.session-token"

/** The session of a user who has signed in, with a password, to an application that has the same secret. */
async function sessionToken({ origin, basePath, values }: Site): Promise<string> {
  const user = { id: "1", name: "Ada Lovelace", email: "ada@example.com" }
  const password = credentials({ credentials: { name: {}, password: {} }, authorize: () => user })
  const config = withEnv({ security: "strict", providers: [password] }, { ...values, AUTH_URL: origin + basePath })
  const browser = openBrowser({ origin, basePath, handle: async (request) => Auth(request, config) })
  await browser.signIn("credentials", { name: "ada", password: "lovelace" })
  const cookie = browser.cookies.find(({ name }) => name === cookieName)
  assert.ok(cookie, "the other application has no session")
  return cookie.value
}

/** Stands for the server of an application that only has a client. */
async function answerAuthRoutes(page: Page, { origin, basePath, values }: Site): Promise<void> {
  const config = withEnv({ security: "strict", providers: [github] }, { ...values, AUTH_URL: origin + basePath })
  await page.route(`${origin}${basePath}/**`, async (route) => {
    const request = route.request()
    const answer = await Auth(new Request(request.url(), { headers: await request.allHeaders() }), config)
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    })
  })
}

async function sessionCookie(site: Site): Promise<string> {
  return `${cookieName}=${await sessionToken(site)}`
}

async function setSession(page: Page, site: Site): Promise<void> {
  const cookie = { name: cookieName, value: await sessionToken(site), url: site.origin, httpOnly: true }
  await page.context().addCookies([cookie])
}

/** In development, the toolbar of SolidStart 2.0.5 can't load this module, in any application. */
const ofToolbar = /@jridgewell\/resolve-uri/

/** A page of a new visitor, and the errors in its console. */
async function pageIn(chromium: Browser, options: BrowserContextOptions = {}): Promise<[Page, string[]]> {
  const context = await chromium.newContext(options)
  const complaints: string[] = []
  context.on("weberror", (error) => {
    if (!ofToolbar.test(error.error().message)) complaints.push(error.error().message)
  })
  context.on("console", (message) => {
    // No page needs an icon. Other sites, such as those with the fonts of a starter, can't be reached from every machine.
    const isExpected = /\/favicon\.ico$|^https:/.test(message.location().url) || ofToolbar.test(message.text())
    if (message.type() === "error" && !isExpected) complaints.push(message.text())
  })
  return [await context.newPage(), complaints]
}
