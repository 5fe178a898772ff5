import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { findings } from "../pages/audit.js"
import { drawing } from "../pages/drawing.js"
import { type SiteServer, serve } from "./server.js"

interface WrittenPage {
  readonly source: string
  readonly path: string
  readonly title: string
  readonly text: string
}

interface Tools {
  writtenPages(): readonly WrittenPage[]
  sidebarOf(pages: readonly WrittenPage[]): readonly unknown[]
  checkLinks(folder: string, base: string): number
  readProviders(): Promise<readonly { readonly entry: { readonly module: string; readonly name: string } }[]>
}

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = join(root, "dist", "site")
const executablePath = inject("chromium")

/** The tools are JavaScript, so this program doesn't see their types. */
async function tool<K extends keyof Tools>(path: string): Promise<Pick<Tools, K>> {
  return (await import(/* @vite-ignore */ join(root, path))) as Pick<Tools, K>
}

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  const build = spawn(process.execPath, [join(root, "tools", "run.mjs"), "site"], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  const [code]: unknown[] = await once(build, "close")
  if (code !== 0) throw new Error("The site wasn't built: see the messages above")
}, 900_000)

function built(file: string): string {
  return readFileSync(join(folder, file), "utf8")
}

/** The first heading of a built page, without its anchor. */
function headingOf(file: string): string | undefined {
  const heading = /<h1[^>]*>(.*?)<a class="header-anchor"/s.exec(built(file))?.[1]
  return heading
    ?.replaceAll(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .trim()
}

describe("the built site", () => {
  test("has a page for each Markdown file of docs", async () => {
    const listed = execFileSync("git", ["ls-files", "docs"], { cwd: root, encoding: "utf8" })
    const files = listed.split("\n").filter((file) => file.endsWith(".md"))
    const { writtenPages } = await tool<"writtenPages">("site/build/pages.mjs")
    const pages = new Map(writtenPages().map((page) => [page.source, page]))
    expect(files.length).toBeGreaterThan(100)
    for (const file of files) {
      const page = pages.get(file)
      expect(headingOf(page?.path.replace(/md$/, "html") ?? ""), file).toBe(page?.title)
    }
  })

  test("has a page for each provider, with its import for every framework", async () => {
    const { readProviders } = await tool<"readProviders">("tools/providers.mjs")
    for (const { entry } of await readProviders()) {
      const page = built(`providers/${entry.module}.html`)
      for (const name of ["next", "sveltekit", "express", "hono"])
        expect(page).toContain(`@latchkey/${name}/providers/${entry.module}`)
    }
  })

  test("has a page for each error, of the source and of the table in the docs", () => {
    const source = readFileSync(join(root, "packages/core/src/errors.ts"), "utf8")
    const classes = [...source.matchAll(/static override type = "(\w+)"/g)].map(([, name]) => name ?? "")
    for (const name of [
      "Configuration",
      "EmailSignin",
      "Verification",
      ...classes.filter((name) => name !== "AuthError"),
    ])
      expect(headingOf(`errors/${name}.html`)).toBe(name)
    expect(built("errors/Configuration.html")).toContain("The database is down")
    expect(built("errors/AccessDenied.html")).toContain("error=AccessDenied")
  })

  test("has a reference of the functions of core", () => {
    expect(built("api/core/server.html")).toContain("createServer")
  })

  test("has Markdown beside each page, and llms.txt lists all of it", () => {
    const listed = [...built("llms.txt").matchAll(/^- \[.+?\]\((\/[^)]+)\)/gm)].map(([, path]) => path ?? "")
    const pages = [...built("llms.txt").matchAll(/\]\(\/([\w./-]+)\.md\)/g)].map(([, path]) => path ?? "")
    expect(new Set(listed).size).toBe(listed.length)
    for (const path of listed) expect(existsSync(join(folder, path)), path).toBe(true)
    for (const path of pages) expect(existsSync(join(folder, `${path}.html`)), path).toBe(true)
    const files = execFileSync("git", ["ls-files", "docs"], { cwd: root, encoding: "utf8" }).split("\n")
    for (const file of files.filter((file) => /^docs\/[\w-]+\.md$/.test(file) && !file.endsWith("README.md")))
      expect(listed).toContain(file.replace("docs", ""))
    expect(built("llms-full.txt")).toContain(readFileSync(join(root, "docs/hono.md"), "utf8").split("\n").at(0))
    expect(built("hono.md")).not.toMatch(/\]\((?!https?:|\/|#)/)
  })
})

describe("a build fails", () => {
  test("if a page isn't in the sidebar", async () => {
    const { writtenPages } = await tool<"writtenPages">("site/build/pages.mjs")
    const { sidebarOf } = await tool<"sidebarOf">("site/build/sidebar.mjs")
    const lost = { source: "docs/acme.md", path: "acme.md", title: "Acme", text: "# Acme\n" }
    const decisions = { source: "docs/decisions", path: "decisions/index.md", title: "Decisions", text: "" }
    expect(() => sidebarOf([...writtenPages(), decisions])).not.toThrow()
    expect(() => sidebarOf([...writtenPages(), decisions, lost])).toThrow("docs/acme.md isn't in the sidebar")
  })

  test("if a link leads to no page or to no heading", async () => {
    const { checkLinks } = await tool<"checkLinks">("site/build/check-links.mjs")
    const pages = mkdtempSync(join(tmpdir(), "latchkey-site-"))
    mkdirSync(join(pages, "a"))
    writeFileSync(join(pages, "a/b.html"), '<h2 id="here"></h2><a href="#here"></a><a href="/a/b#here"></a>')
    expect(checkLinks(pages, "/")).toBe(1)
    writeFileSync(join(pages, "c.html"), '<a href="/a/b#there"></a><a href="/d"></a>')
    expect(() => checkLinks(pages, "/")).toThrow("c.html links to /a/b#there\n  c.html links to /d")
    rmSync(pages, { recursive: true })
  })
})

describe.skipIf(executablePath === undefined)("in a browser (needs Chromium)", () => {
  let browser: Browser
  let server: SiteServer

  beforeAll(async () => {
    server = await serve(folder)
    browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), ...drawing })
  })

  afterAll(async () => {
    await browser.close()
    server.close()
  })

  async function open(path: string, colorScheme: "light" | "dark" = "light", width = 1280): Promise<Page> {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true })
    const page = await context.newPage()
    await page.goto(server.origin + path, { waitUntil: "networkidle" })
    return page
  }

  test("the first page loads at most 100 kB of JavaScript, and nothing from other hosts", async () => {
    server.clear()
    const context = await browser.newContext()
    const page = await context.newPage()
    const hosts = new Set<string>()
    page.on("request", (request) => hosts.add(new URL(request.url()).host))
    await page.goto(server.origin, { waitUntil: "networkidle" })
    const scripts = [...server.sent].filter(([file]) => file.endsWith(".js")).map(([, { packed }]) => packed)
    expect(scripts.length).toBeGreaterThan(2)
    expect(scripts.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
    expect([...hosts]).toEqual([new URL(server.origin).host])
    await context.close()
  })

  test.each(["/", "/hono", "/errors/InvalidCheck", "/providers/github"])(
    "axe finds nothing on %s, in light and dark and on a phone",
    async (path) => {
      for (const [scheme, width] of [
        ["light", 1280],
        ["dark", 1280],
        ["light", 390],
        ["dark", 390],
      ] as const) {
        const page = await open(path, scheme, width)
        expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(scheme === "dark")
        expect(await findings(page), `${scheme}, ${width} px`).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
        await page.context().close()
      }
    },
  )

  test("the search finds a guide, a provider and an error", async () => {
    const page = await open("/")
    await page.keyboard.press("Control+k")
    const input = page.locator("#localsearch-input")
    for (const [words, address] of [
      ["rate limiting", "/rate-limiting"],
      ["GitHub", "/providers/github"],
      ["InvalidCheck", "/errors/InvalidCheck"],
    ] as const) {
      await input.fill(words)
      await page.locator(`.results a[href^="${address}"]`).first().waitFor()
    }
    await page.context().close()
  })

  test("a framework and a package manager that were chosen once are chosen on other pages", async () => {
    const page = await open("/")
    await page.getByRole("tab", { name: "Hono" }).click()
    const panel = page.getByRole("tabpanel")
    await panel.locator("label", { hasText: "pnpm" }).click()
    expect(await panel.innerText()).toContain("pnpm add @latchkey/hono hono")
    await page.goto(`${server.origin}/providers/github`, { waitUntil: "networkidle" })
    expect(await page.locator(".vp-code-group .active").innerText()).toContain("@latchkey/hono/providers/github")
    await page.goto(`${server.origin}/express`, { waitUntil: "networkidle" })
    expect(await page.locator(".vp-code-group .active").first().innerText()).toContain("pnpm add @latchkey/express")
    await page.context().close()
  })

  test("the tabs work with the keyboard", async () => {
    const page = await open("/")
    await page.getByRole("tab", { name: "Next.js" }).focus()
    await page.keyboard.press("ArrowRight")
    expect(await page.getByRole("tab", { selected: true }).innerText()).toBe("SvelteKit")
    expect(await page.getByRole("tabpanel").innerText()).toContain("@latchkey/sveltekit")
    await page.context().close()
  })
})
