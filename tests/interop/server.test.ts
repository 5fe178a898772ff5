import { memoryAdapter } from "@latchkey/adapter-kit"
import type { AuthConfig } from "@latchkey/core"
import { createServer, serializeCookie, type SetCookie, type Visitor } from "@latchkey/core/server"
import { type Browser, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, forPublished, lastOf, mailer, secret, swap } from "./applications.js"

const config: AuthConfig = { secret, trustHost: true, providers: [byName] }
const long = "n".repeat(4000)

function visitorOf({ jar, origin }: Browser): Visitor {
  const use = { url: new URL(origin), method: "GET", sameSite: true, navigation: true }
  return { headers: new Headers({ cookie: jar.header(use) }), origin }
}

/** Stores cookies as an integration does. */
function keep({ jar, origin }: Browser, cookies: readonly SetCookie[]): void {
  const use = { url: new URL(origin), method: "GET", sameSite: true, navigation: true }
  jar.store(cookies.map(serializeCookie), use)
}

describe.each([
  ["over https", "https://app.test", "Ada"],
  ["over http", "http://app.test", "Ada"],
  ["in chunks", "https://app.test", long],
])("a session cookie %s", (_case, origin, name) => {
  test("of @auth/core can be read, updated and ended with the server API", async () => {
    const { theirs } = await swap({ theirs: { secret, providers: [byName] }, ours: config }, origin)
    await theirs.signIn("credentials", { name })
    const server = createServer({
      ...config,
      callbacks: { jwt: ({ token, session }) => ({ ...token, ...(session?.user && { name: session.user.name }) }) },
    })
    expect((await server.session(visitorOf(theirs))).session).toMatchObject({ user: { name } })
    const updated = await server.update(visitorOf(theirs), { user: { name: "Countess" } })
    keep(theirs, updated.cookies)
    expect(await theirs.session()).toMatchObject({ user: { name: "Countess" } })
    const { to, cookies } = await server.signOut(visitorOf(theirs), { redirectTo: "/bye" })
    keep(theirs, cookies)
    expect(to).toBe(`${origin}/bye`)
    expect(await theirs.session()).toBeNull()
  })

  test("that the server API set is read by @auth/core and by Auth()", async () => {
    const { theirs, ours } = await swap({ theirs: { secret, providers: [byName] }, ours: config }, origin)
    const server = createServer(config)
    const { to, cookies } = await server.signIn(visitorOf(ours), "credentials", { name, redirectTo: "/home" })
    keep(ours, cookies)
    expect(to).toBe(`${origin}/home`)
    expect(await ours.session()).toMatchObject({ user: { name } })
    expect(await theirs.session()).toMatchObject({ user: { name } })
  })
})

test("a read that can't set cookies doesn't change the session of @auth/core", async () => {
  const { theirs } = await swap({ theirs: { secret, providers: [byName] }, ours: config })
  await theirs.signIn("credentials", { name: "Ada" })
  const server = createServer({ ...config, secret: ["v8Rj2KmX0zQp5TfYd7LwNcHs4BgUa1EoIi6ZxMk9VtC=", secret] })
  const view = await server.session(visitorOf(theirs), { readOnly: true })
  expect(view).toMatchObject({ session: { user: { name: "Ada" } }, cookies: [] })
  expect((await server.session(visitorOf(theirs))).cookies).not.toEqual([])
})

test("Auth() finishes a flow that the server API started", async () => {
  const op = createProvider()
  const flow = { ...config, providers: [op.provider()] }
  const browser = await visit(flow)
  const { to, cookies } = await createServer(flow).signIn(visitorOf(browser), "op", { redirectTo: "/home" })
  keep(browser, cookies)
  await browser.follow(await op.authorize(to, { as: "ada" }), op.issuer)
  expect(browser.location).toBe("https://app.test/home")
  expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
})

test("@auth/core finishes a link that the server API sent, and both read the session in the store", async () => {
  const { provider, links } = mailer()
  const common = { adapter: memoryAdapter(), secret, trustHost: true, providers: [provider] }
  const { theirs, ours } = await swap({ theirs: { ...common, adapter: forPublished(common.adapter) }, ours: common })
  const server = createServer(common)
  keep(ours, (await server.signIn(visitorOf(ours), "mail", { email: "ada@example.test" })).cookies)
  await theirs.get(lastOf(links))
  expect((await server.session(visitorOf(theirs))).session).toMatchObject({ user: { email: "ada@example.test" } })
})
