import { randomBytes } from "node:crypto"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { strictest } from "./host.js"
import { type Answer, document, serve, type Web } from "./web.js"

/** A site with passkeys, a password for a user `ada`, and a database. It has the strictest policy that the page allows. */
export interface PasskeySite extends Web {
  readonly adapter: Adapter
}

/** Without autofill, unless `config` has providers: the virtual authenticator answers each request, also that of the autofill. */
export async function openPasskeySite(adapter: Adapter, config: Partial<AuthConfig> = {}): Promise<PasskeySite> {
  let answer: Answer = () => new Response(null, { status: 503 })
  const web = await serve((request) => answer(request), "localhost")
  const password = credentials({
    name: "Password",
    credentials: { name: { label: "Name" } },
    async authorize({ name }) {
      const email = `${String(name)}@people.test`
      const known = await adapter.getUserByEmail?.(email)
      return (
        known ??
        adapter.createUser?.({ id: crypto.randomUUID(), name: String(name), email, emailVerified: null }) ??
        null
      )
    },
  })
  const auth = createServer({
    secret: strongSecret,
    url: `${web.origin}/auth`,
    adapter,
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    logger: captureLog().logger,
    nonce: ({ headers }) => headers.get("x-nonce") ?? undefined,
    providers: [password, Passkey({ enableConditionalUI: false })],
    ...config,
  })
  answer = async (request) => {
    const { pathname, origin } = new URL(request.url)
    const nonce = randomBytes(16).toString("base64")
    request.headers.set("x-nonce", nonce)
    if (pathname.startsWith("/auth/")) {
      const response = await auth.handle(request)
      response.headers.append("content-security-policy", `${strictest(nonce)}; connect-src 'self'`)
      return response
    }
    const { session } = await auth.session({ headers: request.headers, origin }, { readOnly: true })
    return document(`<p id="who">${session?.user?.email ?? "signed out"}</p>`)
  }
  return { ...web, adapter }
}

/** The email of the signed-in user. */
export async function who(page: Page, { origin }: PasskeySite): Promise<string> {
  await page.waitForURL(`${origin}/`)
  return page.locator("#who").innerText()
}

export async function openSignIn(page: Page, { origin }: PasskeySite): Promise<void> {
  await page.goto(`${origin}/auth/signin?callbackUrl=/`)
}

/** Creates a passkey on the built-in page: for the signed-in user, or for a new one. */
export async function createPasskey(page: Page, site: PasskeySite, email: string): Promise<void> {
  await openSignIn(page, site)
  const summary = page.locator("summary", { hasText: "Create a passkey" })
  if (await summary.isVisible()) await summary.click()
  await page.getByLabel("Email").fill(email)
  await page.getByRole("button", { name: "Create a" }).click()
}

export async function signInWithPasskey(page: Page, site: PasskeySite): Promise<void> {
  await openSignIn(page, site)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
}

export async function signInWithPassword(page: Page, site: PasskeySite, name: string): Promise<void> {
  await openSignIn(page, site)
  await page.getByLabel("Name").fill(name)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.waitForURL(`${site.origin}/`)
}

export async function signOut(page: Page, { origin }: PasskeySite): Promise<void> {
  await page.goto(`${origin}/auth/signout`)
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL(`${origin}/`)
}
