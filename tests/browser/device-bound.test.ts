import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { type AddressInfo, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer } from "node:tls"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { deviceBound } from "@latchkey/device-bound"
import { captureLog } from "@latchkey/testing"
import { type BrowserContext, chromium, type Page } from "playwright-core"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { document, serve, type Web } from "./web.js"

const executablePath = inject("chromium")

/** Chromium itself, which `CHROME_PATH` names, has keys of devices. Its headless shell, which most tests use, has none. */
const hasKeys = executablePath !== undefined && !executablePath.includes("headless")

const features = "DeviceBoundSessions,EnableBoundSessionCredentialsSoftwareKeysForManualTesting"

interface Secured {
  readonly origin: string
  /** The hash of its key, by which a browser trusts its certificate. */
  readonly key: string
}

/** The same server over TLS. Without it, Chromium makes no keys, not even for `localhost`. */
async function secured({ origin }: Web): Promise<Secured> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-tls-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const openssl = (command: string) => execFileSync("openssl", command.split(" "), { cwd: folder, stdio: "pipe" })
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
  openssl(
    `req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost -addext ${names}`,
  )
  openssl("pkey -in key.pem -pubout -outform der -out key.der")
  const [key, cert] = [readFileSync(join(folder, "key.pem")), readFileSync(join(folder, "cert.pem"))]
  const server = createServer({ key, cert }, (socket) => {
    const upstream = connect(Number(new URL(origin).port), "127.0.0.1")
    for (const each of [socket, upstream]) each.on("error", () => [socket.destroy(), upstream.destroy()])
    socket.pipe(upstream).pipe(socket)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const hash = openssl("dgst -sha256 -binary key.der").toString("base64")
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, key: hash }
}

interface Visited {
  readonly origin: string
  readonly page: Page
  readonly context: BrowserContext
  /** The requests to the module, with their statuses. */
  readonly asked: readonly string[]
}

/** Follows the link of an email on a page of another site. */
async function signedIn(): Promise<Visited> {
  const [links, asked]: [string[], string[]] = [[], []]
  const app: { config?: AuthConfig } = {}
  const web = await serve(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (!pathname.startsWith("/auth")) return document(`<a href="${searchParams.get("to")}">Go</a>`)
    const response = await Auth(request, app.config ?? { providers: [] })
    if (pathname.includes("device-bound")) asked.push(`${pathname.split("/").at(-1)} ${response.status}`)
    return response
  }, "localhost")
  const { origin, key } = hasKeys ? await secured(web) : { origin: web.origin, key: "" }
  app.config = {
    secret: strongSecret,
    url: `${origin}/auth`,
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    rateLimit: false,
    logger: captureLog().logger,
    modules: [deviceBound()],
    providers: [
      { id: "email", name: "Email", type: "email", sendVerificationRequest: ({ url }) => void links.push(url) },
    ],
  }
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      `--enable-features=${features}`,
      `--ignore-certificate-errors-spki-list=${key}`,
    ],
  })
  onTestFinished(async () => browser.close())
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/auth/signin?callbackUrl=/`)
  await page.locator("input[name=email]").fill("ada@users.test")
  await page.locator("input[name=email]").press("Enter")
  await expect.poll(() => links.length).toBe(1)
  await page.waitForLoadState()
  const visited = { origin, page, context, asked }
  await follow(visited, links[0] ?? "")
  await page.waitForURL(`${origin}/`)
  return visited
}

/** Follows a link on a page of another site. */
async function follow({ page, origin }: Visited, to: string): Promise<void> {
  await page.goto(`${origin.replace("localhost", "127.0.0.1")}/?to=${encodeURIComponent(to)}`)
  await page.getByRole("link").click()
}

async function session({ page, origin }: Visited): Promise<unknown> {
  await page.goto(`${origin}/auth/session`)
  return JSON.parse(await page.locator("pre").innerText())
}

const ada = { user: { email: "ada@users.test" } }

const withKeys = async () => {
  const visited = await signedIn()
  const { page, context, origin, asked } = visited
  await expect.poll(() => asked).toEqual(["register 200"])
  // As if its time were over.
  const expire = async () => context.clearCookies({ name: /device-bound\.pass/ })
  await expire()
  await follow(visited, `${origin}/auth/session`)
  await page.waitForURL(`${origin}/auth/session`)
  expect(JSON.parse(await page.locator("pre").innerText())).toMatchObject(ada)
  await expire()
  expect(await session(visited)).toMatchObject(ada)
  expect(asked.slice(1)).toEqual(["refresh 403", "refresh 200", "refresh 403", "refresh 200"])
  await page.goto(`${origin}/auth/signout`)
  await page
    .locator("form")
    .first()
    .evaluate((form: HTMLFormElement) => form.requestSubmit())
  await page.waitForURL(`${origin}/`)
  await expire()
  expect(await session(visited)).toBeNull()
  expect(await session(visited)).toBeNull()
  expect(asked.slice(5)).toEqual(["refresh 200"])
}

const withoutKeys = async () => {
  const visited = await signedIn()
  expect(await session(visited)).toMatchObject(ada)
  expect(await session(visited)).toMatchObject(ada)
  expect(visited.asked).toEqual([])
}

describe.skipIf(executablePath === undefined)("Chromium (needs Chromium)", () => {
  test(
    "registers and proves a key until the sign-out, or notices nothing if it has no keys",
    hasKeys ? withKeys : withoutKeys,
  )
})
