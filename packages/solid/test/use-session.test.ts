import { fileURLToPath } from "node:url"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { Page } from "playwright-core"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"
import { inChromium } from "../../../tests/browser/chromium.js"
import { type Answer, serve } from "../../../tests/browser/web.js"

const password = credentials({
  name: "Password",
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

/** What the page gets before it loads. See `pages/probe.tsx`. */
interface Setup {
  readonly session?: object | null
  readonly props?: object
  readonly required?: number
  readonly counted?: boolean
  readonly bare?: boolean
}

/** A site whose pages use the package, with a real server. */
async function openSite(mode: Mode = "production") {
  let answer: Answer = () => new Response(null, { status: 503 })
  const web = await serve(async (request) => answer(request))
  const auth = createServer({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: `${web.origin}/auth`,
    rateLimit: false,
    providers: [password],
    callbacks: {
      jwt: ({ token, trigger, session }) => (trigger === "update" ? Object.assign({}, token, session) : token),
    },
  })
  const site = { origin: web.origin, seen: web.seen, setup: {} as Setup }
  const script = await (scriptsOfPage[mode] ??= bundle(mode))
  answer = async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith("/auth/")) return auth.handle(request, { address: "192.0.2.1" })
    if (pathname === "/probe.js") return new Response(script, { headers: { "content-type": "text/javascript" } })
    return page(site.setup)
  }
  return site
}

function page(setup: Setup): Response {
  const text = `<!DOCTYPE html><html lang="en"><title>Probe</title><link rel="icon" href="data:,"><body><div id="root"></div>
    <script>window.setup = ${JSON.stringify(setup)}; window.states = []; window.calls = []</script>
    <script type="module" src="/probe.js"></script>`
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } })
}

/** Solid has a build for each. */
type Mode = "development" | "production"

const scriptsOfPage: { [M in Mode]?: Promise<string> } = {}

/** The script of the page, bundled from the sources. */
async function bundle(mode: Mode): Promise<string> {
  const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const build = await rolldown({
    input: source("pages/probe.tsx"),
    platform: "browser",
    tsconfig: false,
    resolve: {
      conditionNames: ["browser", ...(mode === "development" ? [mode] : []), "import"],
      alias: {
        "@latchkey/solid": source("../src/index.ts"),
        "@latchkey/client": source("../../client/src/index.ts"),
      },
    },
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  return output[0].code
}

/** Waits until the page shows `text`. */
async function shows(tab: Page, text: string): Promise<void> {
  await tab.locator(".who", { hasText: text }).waitFor()
}

async function signIn(tab: Page): Promise<void> {
  await tab.evaluate(`app.signIn("credentials", { name: "ada", password: "open sesame", redirect: false })`)
  await shows(tab, "authenticated ada")
}

const required = (tab: Page) => tab.locator(".required").allInnerTexts()

inChromium("SessionProvider", (visit) => {
  test.each([
    ["development", ["<SessionProvider> has no prop `basepath`. Did you mean `basePath`?"]],
    ["production", []],
  ] as const)("warns of a misspelled prop in development only: %s", async (mode, expected) => {
    const site = await openSite(mode)
    site.setup = { session: null, props: { basepath: "/auth", "data-test": 1 } }
    const { page } = await visit()
    const warnings: string[] = []
    page.on("console", (message) => void (message.type() === "warning" && warnings.push(message.text())))
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    expect(warnings).toEqual(expected)
  })

  test("has no such warning in a bundle for production", async () => {
    expect(await bundle("development")).toContain("has no prop")
    expect(await bundle("production")).not.toContain("has no prop")
  })
})

inChromium("useSession", (visit) => {
  test("asks the server, signs in, updates and signs out", async () => {
    const site = await openSite()
    const { page, complaints } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    await signIn(page)
    await page.evaluate(`app.update({ name: "countess" })`)
    await shows(page, "authenticated countess")
    await page.evaluate(`app.signOut({ redirect: false })`)
    await shows(page, "unauthenticated")
    const states = ["loading undefined", "unauthenticated object", "authenticated ada", "authenticated countess"]
    expect(await page.evaluate("states")).toEqual([...states, "unauthenticated object"])
    expect(complaints).toEqual([])
  })

  test("starts with the session that the server rendered, and takes a new one", async () => {
    const site = await openSite()
    site.setup = { session: { user: { name: "grace" }, expires: new Date(Date.now() + 60_000).toISOString() } }
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "authenticated grace")
    expect(site.seen.filter((line) => line.includes("/auth/"))).toEqual([])
    await page.evaluate("app.setSession(null)")
    await shows(page, "unauthenticated")
    expect(await page.evaluate("states")).toEqual(["authenticated grace", "unauthenticated object"])
  })

  test("follows sign-ins and sign-outs in other tabs, until it's unmounted", async () => {
    const site = await openSite()
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    const other = await page.context().newPage()
    await other.goto(site.origin)
    await shows(other, "unauthenticated")
    await signIn(other)
    await shows(page, "authenticated ada")
    await page.evaluate("app.unmount()")
    await other.evaluate(`app.signOut({ redirect: false })`)
    await shows(other, "unauthenticated")
    expect(await page.evaluate("states.at(-1)")).toBe("authenticated ada")
  })

  test("with `required`, redirects to the sign-in page once for several components, and returns", async () => {
    const site = await openSite()
    site.setup = { required: 3 }
    const { page } = await visit()
    await page.goto(`${site.origin}/?from=here`)
    await page.waitForURL(/signin/)
    const query = new URLSearchParams({ error: "SessionRequired", callbackUrl: `${site.origin}/?from=here` })
    expect(page.url()).toBe(`${site.origin}/auth/signin?${query}`)
    expect(site.seen.filter((line) => line.startsWith("GET /auth/signin"))).toHaveLength(1)
    await page.getByLabel("Name").fill("ada")
    await page.getByLabel("Password").fill("open sesame")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(`${site.origin}/?from=here`)
    await shows(page, "authenticated ada")
    expect(await required(page)).toEqual(["for ada", "for ada", "for ada"])
  })

  test("calls onUnauthenticated once per component instead, and again after a sign-out", async () => {
    const site = await openSite()
    site.setup = { required: 2, counted: true, session: null }
    const { page } = await visit()
    await page.goto(site.origin)
    await shows(page, "unauthenticated")
    expect(await required(page)).toEqual(["loading", "loading"])
    expect(await page.evaluate("calls.length")).toBe(2)
    await signIn(page)
    await page.evaluate("app.signOut({ redirect: false })")
    await shows(page, "unauthenticated")
    expect(await page.evaluate("calls.length")).toBe(4)
    expect(page.url()).toBe(`${site.origin}/`)
  })

  test("says that the provider is missing", async () => {
    const site = await openSite()
    site.setup = { bare: true }
    const { page } = await visit()
    await page.goto(site.origin)
    expect(await page.locator("#root").innerText()).toContain("useSession needs a <SessionProvider>")
  })
})
