import { sqlite } from "@latchkey/sql/sqlite"
import type { Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import { passkeyClient, passkeyServers, type Side } from "../interop/passkey-clients.js"
import { addAuthenticator } from "./authenticator.js"
import { inChromium } from "./chromium.js"
import { document, serve } from "./web.js"

const email = "ada@example.test"

/** A site of one of the libraries, whose page has the browser code of one of them. */
async function openSite() {
  const adapter = sqlite(":memory:")
  onTestFinished(() => adapter.close())
  // @auth/core leaves the id of a user with a passkey to the adapter.
  const createUser: typeof adapter.createUser = (user) => adapter.createUser({ ...user, id: crypto.randomUUID() })
  const servers = passkeyServers({ ...adapter, createUser })
  const clients = { theirs: await passkeyClient("theirs"), ours: await passkeyClient("ours") }
  const now: { server: Side; client: Side } = { server: "theirs", client: "theirs" }
  const web = await serve(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith("/api/auth/")) return servers[now.server](request)
    if (pathname !== "/client.js") return document('<script type="module" src="/client.js"></script>')
    return new Response(clients[now.client], { headers: { "content-type": "text/javascript" } })
  }, "localhost")
  return { adapter, now, origin: web.origin }
}

/** Calls `signIn` of the page, and returns the session afterwards. */
async function signIn(page: Page, origin: string, options: object): Promise<unknown> {
  await page.goto(origin)
  await page.waitForFunction(`document.title === "ready"`)
  await page.evaluate(`signIn("passkey", ${JSON.stringify({ ...options, redirect: false })})`)
  return page.evaluate(`fetch("/api/auth/session").then((response) => response.json())`)
}

inChromium("the browser code of both libraries", (visit) => {
  test.each([
    ["next-auth/webauthn", "Latchkey", { client: "theirs", server: "ours" }],
    ["@latchkey/next/webauthn", "@auth/core", { client: "ours", server: "theirs" }],
    ["@latchkey/next/webauthn", "Latchkey", { client: "ours", server: "ours" }],
  ] as const)("%s creates a passkey at %s, and signs in", async (_client, _server, sides) => {
    const { now, origin } = await openSite()
    Object.assign(now, sides)
    const { page } = await visit()
    await addAuthenticator(page)
    expect(await signIn(page, origin, { action: "register", email })).toMatchObject({ user: { email } })
    await page.context().clearCookies()
    expect(await signIn(page, origin, { action: "authenticate" })).toMatchObject({ user: { email } })
  })

  test("a passkey of next-auth signs in after the swap of the server, of the browser code, and back", async () => {
    const { now, origin } = await openSite()
    const { page } = await visit()
    await addAuthenticator(page)
    expect(await signIn(page, origin, { action: "register", email })).toMatchObject({ user: { email } })
    for (const change of [{ server: "ours" }, { client: "ours" }, { server: "theirs" }, { client: "theirs" }]) {
      Object.assign(now, change)
      await page.context().clearCookies()
      expect(await signIn(page, origin, { action: "authenticate" })).toMatchObject({ user: { email } })
    }
  })

  test("a passkey of Latchkey signs in with the browser code of next-auth", async () => {
    const { now, origin } = await openSite()
    Object.assign(now, { client: "ours", server: "ours" })
    const { page } = await visit()
    await addAuthenticator(page)
    expect(await signIn(page, origin, { action: "register", email })).toMatchObject({ user: { email } })
    now.client = "theirs"
    await page.context().clearCookies()
    expect(await signIn(page, origin, { action: "authenticate" })).toMatchObject({ user: { email } })
  })
})
