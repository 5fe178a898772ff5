import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { addAuthenticator } from "../../browser/authenticator.js"
import type { Visit } from "../../browser/chromium.js"
import { type Extent, secret } from "../application.js"
import { remove } from "../../applications/install.js"
import { freePort, type Site } from "../../applications/processes.js"
import { build, type Built, type Source } from "../build.js"
import { type Database, startDatabase } from "../database.js"
import { serve } from "../serve.js"

/** The name of the provider is next-auth's default, which is left out here. */
const submitName = /^Sign in(?: with Credentials)?$/

/** An application written for `next-auth`, built with that package and with `@latchkey/next` under its name. */
const packages = ["next-auth", "@latchkey/next"] as const

type Package = (typeof packages)[number]

const ada = { name: "ada", email: "ada@users.test", role: "admin" }

/** next-auth needs this for the Pages Router: Node.js can't resolve its imports of `next/server`. */
const settings = { transpilePackages: ["next-auth"] }

/** What each needs for passkeys. The migration installs the version that core is developed with. */
const passkeyLibraries: Readonly<Record<Package, Readonly<Record<string, string>>>> = {
  "next-auth": {
    "@simplewebauthn/browser": "@simplewebauthn/browser",
    "@simplewebauthn/server": "@simplewebauthn/server",
  },
  "@latchkey/next": { "@simplewebauthn/server": "@latchkey/core/node_modules/@simplewebauthn/server" },
}

/** `"some"` leaves out the way from `@latchkey/next`, except for rolling back, and what `next-auth` does by itself. */
export function swap(visit: Visit, { major }: Pick<Source, "major">, extent: Extent): void {
  const built = new Map<Package, Built>()
  let port: number
  let site: Site | undefined
  let database: Database | undefined

  beforeAll(async () => {
    port = await freePort()
    database = await startDatabase()
    await database.adapter.createUser({ id: "1", name: "ada", email: "ada@users.test", emailVerified: null })
    const source = { folder: "swap", major, files: filesOf(major), settings }
    for (const name of packages)
      built.set(name, await build({ ...source, alias: { "next-auth": name, ...passkeyLibraries[name] } }))
  }, 820_000)

  afterAll(async () => {
    await site?.stop()
    await database?.close()
    await Promise.all([...built.values()].map(async ({ folder }) => remove(folder)))
  })

  /** Replaces the running application at the same URL. */
  const deploy = async (name: Package): Promise<string> => {
    const chosen = built.get(name)
    if (chosen === undefined) throw new Error(`There is no build with ${name}`)
    await site?.stop()
    site = await serve(chosen, { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true", ADAPTER_URL: database?.url ?? "" }, port)
    return site.origin
  }

  const ways = [
    { from: packages[0], to: packages[1] },
    { from: packages[1], to: packages[0] },
  ]

  describe.each(extent === "all" ? ways : ways.slice(0, 1))("from $from to $to", ({ from, to }) => {
    test("a user stays signed in everywhere, also after rolling back", async () => {
      const before = await deploy(from)
      const { page } = await visit()
      await page.goto(before)
      await enterPassword(page, "ada", "open sesame")
      await page.getByRole("button", { name: "Rename" }).waitFor()
      await expectSignedIn(page, before, ada)
      const after = await deploy(to)
      expect(after).toBe(before)
      await expectSignedIn(page, after, ada)
      await page.goto(after)
      await page.waitForLoadState("networkidle")
      const posted = page.waitForResponse((response) => response.request().method() === "POST")
      await page.getByRole("button", { name: "Rename" }).click()
      await posted
      // next-auth shows the new name in the next request only.
      await page.waitForLoadState("networkidle")
      await deploy(from)
      await expectSignedIn(page, after, { ...ada, name: "Ada Lovelace" })
    })

    test("a form that was open during the switch signs in", async () => {
      const origin = await deploy(from)
      const { page } = await visit()
      await page.goto(`${origin}/private`)
      expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
      await page.getByLabel("Username").fill("ada")
      await page.getByLabel("Password").fill("open sesame")
      await deploy(to)
      await page.getByRole("button", { name: submitName }).click()
      await page.waitForURL(`${origin}/private`)
      await expectSignedIn(page, origin, ada)
    })

    test("a passkey goes on working, also after rolling back", async () => {
      const origin = await deploy(from)
      const { page } = await visit()
      await addAuthenticator(page)
      const mary = `mary-${from.length}@users.test`
      await page.goto(`${origin}/passkeys`)
      await page.getByLabel("Email").fill(mary)
      await press(page, "Create a passkey")
      await page.waitForURL(`${origin}/passkeys?created`)
      await shows(page, mary)
      for (const name of [to, from]) {
        await press(page, "Sign out")
        await page.waitForURL(`${origin}/passkeys?left`)
        await page.locator("#status", { hasText: "unauthenticated" }).waitFor()
        await deploy(name)
        await page.goto(`${origin}/passkeys`)
        await press(page, "Sign in with a passkey")
        await page.waitForURL(`${origin}/private`)
        await page.goto(`${origin}/passkeys`)
        await shows(page, mary)
      }
    })

    test("a passkey that a user added goes on working", async () => {
      const origin = await deploy(from)
      const { page } = await visit()
      await addAuthenticator(page)
      await page.goto(origin)
      await enterPassword(page, "ada", "open sesame")
      await page.getByRole("button", { name: "Rename" }).waitFor()
      await page.goto(`${origin}/passkeys`)
      await shows(page, ada.email)
      await press(page, "Add a passkey")
      await page.waitForURL(`${origin}/passkeys?added`)
      await shows(page, ada.email)
      await press(page, "Sign out")
      await page.waitForURL(`${origin}/passkeys?left`)
      await deploy(to)
      await page.goto(`${origin}/passkeys`)
      await page.locator("#status", { hasText: "unauthenticated" }).waitFor()
      await press(page, "Sign in with a passkey here")
      await page.locator("#result", { hasText: '"ok":true' }).waitFor()
      await shows(page, ada.email)
    })
  })

  describe.each(extent === "all" ? packages : packages.slice(1))("with %s", (name) => {
    test("the client signs in and out", async () => {
      const origin = await deploy(name)
      const { page } = await visit()
      await page.goto(`${origin}/private`)
      expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
      await page.goto(`${origin}/client`)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.locator("#user").waitFor()
      await expectSignedIn(page, origin, { name: "grace", email: "grace@users.test", role: "admin" })
      await page.goto(`${origin}/client`)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Sign in" }).waitFor()
      await page.goto(origin)
      await page.getByLabel("Username").waitFor()
    })

    test("`signIn` with a passkey provider in a server action goes to the sign-in page", async () => {
      const origin = await deploy(name)
      const { page } = await visit()
      await page.goto(`${origin}/passkeys`)
      await press(page, "Sign in on the server")
      await page.waitForURL(/signin/)
      expect(new URL(page.url()).pathname).toBe("/api/auth/signin")
      await page.getByLabel("Username").fill("ada")
      await page.getByLabel("Password").fill("open sesame")
      await page.getByRole("button", { name: submitName }).click()
      await page.waitForURL(`${origin}/private`)
    })

    test("a canceled passkey request rejects with the error of the browser", async () => {
      const origin = await deploy(name)
      const { page } = await visit()
      await addAuthenticator(page, { isUserVerified: false })
      await page.goto(`${origin}/passkeys`)
      await press(page, "Sign in with a passkey here")
      await page.locator("#result", { hasText: "NotAllowedError" }).waitFor()
      expect(page.url()).toBe(`${origin}/passkeys`)
    })

    test("a server action gets the application's own error, and returns to the page with its query", async () => {
      const origin = await deploy(name)
      const { page } = await visit()
      await page.goto(`${origin}/login`)
      await enterPassword(page, "ada", "wrong")
      await page.locator("#code").filter({ hasText: "CredentialsSignin-wrong-password" }).waitFor()
      await page.goto(`${origin}/login?lang=de&page=3`)
      await enterPassword(page, "ada", "open sesame")
      await page.locator("#user").filter({ hasText: "ada@users.test" }).waitFor()
      expect(page.url()).toBe(`${origin}/login?lang=de&page=3`)
      await page.goto(origin)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Username").waitFor()
    })

    test("a Route Handler signs in and out, and another sends its own 401", async () => {
      const origin = await deploy(name)
      const { page } = await visit()
      for (const path of ["/api/orders/7", "/api/session"]) {
        const refused = await page.goto(origin + path)
        expect([refused?.status(), await refused?.json()], path).toEqual([401, { message: "Not authenticated" }])
      }
      await page.goto(`${origin}/account`)
      expect(page.url()).toBe(`${origin}/login?lang=fr`)
      await expectSignedIn(page, origin, { name: "alan", email: "alan@users.test", role: "admin" })
      await page.goto(`${origin}/account?leave`)
      expect(page.url()).toBe(`${origin}/login?lang=de`)
      expect(await page.locator("#user").innerText()).toBe("")
    })
  })
}

/** Next.js 16 calls the middleware a proxy. `searchParams` isn't a promise in Next.js 14, and `await` accepts both. */
function filesOf(major: Source["major"]): Readonly<Record<string, string>> {
  const name = major === 16 ? "proxy" : "middleware"
  const matcher = '["/private/:path*"]'
  return {
    [`${name}.js`]: `export { auth as ${name} } from "./auth"\n\nexport const config = { matcher: ${matcher} }\n`,
  }
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click()
}

/** Waits until the client shows the session of this user. */
async function shows(page: Page, email: string): Promise<void> {
  await page.locator("#user", { hasText: email }).waitFor()
}

async function enterPassword(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel("Username").fill(name)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}

async function expectSignedIn(page: Page, origin: string, user: typeof ada): Promise<void> {
  for (const path of ["/", "/client", "/props"]) {
    await page.goto(origin + path)
    expect(JSON.parse(await page.locator("#user").innerText()), path).toEqual(user)
  }
  const json = async (path: string): Promise<unknown> => (await page.goto(origin + path))?.json()
  expect(await json("/api/session")).toEqual(user)
  expect(await json("/api/orders/7")).toEqual({ id: "7", user, url: "/api/orders/7" })
  expect(await json("/token")).toEqual({ sub: "1", name: user.name, role: user.role })
  await page.goto(`${origin}/private`)
  expect(await page.locator("body").innerText()).toBe("the private page")
  // Each response of next-auth's session route sets the session cookie. A late one would restore it after a sign-out.
  await page.waitForLoadState("networkidle")
}
