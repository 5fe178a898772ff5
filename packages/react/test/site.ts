import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, type Server } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { type Page as Tab } from "playwright-core"
import { rolldown } from "rolldown"
import { strongSecret } from "../../core/test/modes/setup.js"
import type { Mode } from "../../../tests/attack.js"
import { type Answer, serve, type Web } from "../../../tests/browser/web.js"

export type Major = 18 | 19

/** What the page gets before it loads. See `pages/probe.tsx`. */
export interface Setup {
  readonly props?: Readonly<Record<string, unknown>>
  readonly strict?: boolean
  readonly required?: number
  readonly counted?: boolean
  readonly eager?: boolean
  readonly bare?: boolean
  readonly hydrate?: boolean
  /** Load the style sheet of the package. */
  readonly styled?: boolean
}

export interface Site extends Web {
  readonly auth: Server
  /** Answers a request in place of the server. `undefined` passes it on. */
  between: (request: Request) => Promise<Response | undefined> | Response | undefined
  /** For the next page. */
  setup: Setup
  /** Pass the session of the request to the page. */
  rendersSession: boolean
  /** The HTML inside the root element. */
  markup: string
  /** How often each path below `/auth` was requested since the last call. */
  asked(): Record<string, number>
}

export interface Choices {
  readonly mode?: Mode
  readonly react?: Major
  readonly config?: Partial<AuthConfig>
  /** Default `127.0.0.1`. */
  readonly name?: string
  /** The script of the pages, in `pages`. Default `probe`. */
  readonly script?: PageScript
}

export type PageScript = "components" | "probe" | "sign-in-page"

const password = credentials({
  name: "Password",
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

/** A site whose pages use the package, with a real server. */
export async function openSite(choices: Choices = {}): Promise<Site> {
  const { mode = "compatible", react = 19, config = {}, name } = choices
  let answer: Answer = () => new Response(null, { status: 503 })
  const web = await serve(async (request) => answer(request), name)
  const auth = createServer({
    security: mode,
    secret: strongSecret,
    url: `${web.origin}/auth`,
    rateLimit: false,
    logger: captureLog().logger,
    providers: [password],
    callbacks: {
      jwt: ({ token, trigger, session }) => (trigger === "update" ? Object.assign({}, token, session) : token),
    },
    ...config,
  })
  const site: Site = {
    ...web,
    auth,
    between: () => undefined,
    setup: {},
    rendersSession: false,
    markup: "",
    asked() {
      const counts: Record<string, number> = {}
      for (const line of web.seen.splice(0)) {
        const [, path] = /^(.* \/auth\/[^?]*)/.exec(line) ?? []
        if (path !== undefined) counts[path] = (counts[path] ?? 0) + 1
      }
      return counts
    },
  }
  const script = await scriptFor(react, choices.script ?? "probe")
  answer = async (request) => (await site.between(request)) ?? answerOf(site, request, script)
  return site
}

async function answerOf(site: Site, request: Request, script: string): Promise<Response> {
  const { pathname, origin } = new URL(request.url)
  if (pathname.startsWith("/auth/")) return site.auth.handle(request, { address: "192.0.2.1" })
  if (pathname === "/probe.js") return new Response(script, { headers: { "content-type": "text/javascript" } })
  if (pathname === "/styles.css")
    return new Response(await readFile(styles), { headers: { "content-type": "text/css" } })
  if (pathname === "/favicon.ico") return new Response(null, { status: 204 })
  const { session } = await site.auth.session({ headers: request.headers, origin }, { readOnly: true })
  const props = { ...(site.rendersSession ? { session } : {}), ...site.setup.props }
  return page({ ...site.setup, props }, site.markup)
}

const styles = new URL("../src/styles.css", import.meta.url)

function page(setup: Setup, markup: string): Response {
  const json = JSON.stringify(setup).replaceAll("<", "\\u003c")
  const link = setup.styled === true ? `<link rel="stylesheet" href="/styles.css">` : ""
  const text = `<!DOCTYPE html><html lang="en"><title>Probe</title>${link}<body><div id="root">${markup}</div>
    <script>window.setup = ${json}; window.states = []; window.calls = []</script><script type="module" src="/probe.js"></script>`
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } })
}

const scripts = new Map<string, Promise<string>>()

/** The script of the page, bundled from the sources. */
function scriptFor(react: Major, name: PageScript): Promise<string> {
  const key = `${name} ${react}`
  const script = scripts.get(key) ?? bundle(react, name)
  scripts.set(key, script)
  return script
}

async function bundle(react: Major, name: PageScript): Promise<string> {
  const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const older = { "react-dom": "react-dom-18", "react/jsx-runtime": "react-18/jsx-runtime", react: "react-18" }
  const build = await rolldown({
    input: source(`pages/${name}.tsx`),
    platform: "browser",
    tsconfig: false,
    // Hides the warning that bundles ignore "use client".
    logLevel: "silent",
    resolve: {
      alias: {
        "@latchkey/react/components": source("../src/components.ts"),
        "@latchkey/react/webauthn": source("../src/webauthn.ts"),
        "@latchkey/react": source("../src/index.ts"),
        "@latchkey/client/flow": source("../../client/src/flow.ts"),
        "@latchkey/client/webauthn": source("../../client/src/webauthn.ts"),
        "@latchkey/client": source("../../client/src/index.ts"),
        ...(react === 18 ? older : {}),
      },
    },
    transform: {
      jsx: { runtime: "automatic" },
      define: { "process.env.NODE_ENV": '"development"' },
    },
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  return output[0].code
}

/** Waits until the page shows `text`. */
export async function shows(tab: Tab, text: string): Promise<void> {
  await tab.locator("#who", { hasText: text }).waitFor()
}

/** Signs in on the page. */
export async function signIn(tab: Tab, name = "ada"): Promise<void> {
  await run(tab, `signIn("credentials", { name: "${name}", password: "open sesame", redirect: false })`)
}

/** Calls a function of the page. See `pages/probe.tsx`. */
export async function run(tab: Tab, call: string): Promise<unknown> {
  return tab.evaluate(`app.${call}`)
}

/** Opens the page with a clock that only the test advances. */
export async function openFrozen(tab: Tab, site: Site): Promise<void> {
  await freeze(tab)
  await tab.goto(site.origin)
  await tab.locator("#who").waitFor()
}

/** Stops the clock of the pages that this tab and the tabs beside it open next. Only the test advances it. */
export async function freeze(tab: Tab): Promise<void> {
  const now = Date.now()
  await tab.clock.install({ time: now })
  await tab.clock.pauseAt(now + 1000)
}

/** Waits until earlier events have sent their requests. */
export async function settled(tab: Tab): Promise<void> {
  await tab.evaluate(`navigator.locks.request("barrier", () => app.getCsrfToken())`)
}

/** Simulates that another window covers the page, or no longer does. */
export async function turn(tab: Tab, visibility: "hidden" | "visible"): Promise<void> {
  await tab.evaluate(`Object.defineProperty(document, "visibilityState", { configurable: true, value: "${visibility}" });
    document.dispatchEvent(new Event("visibilitychange"))`)
}

/** `Promise.withResolvers`, which Node 20 doesn't have. */
export function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolver: ((value: T) => void) | undefined
  const promise = new Promise<T>((resolve) => {
    resolver = resolve
  })
  return { promise, resolve: (value) => resolver?.(value) }
}
