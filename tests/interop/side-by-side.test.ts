import { memoryAdapter, type MemoryAdapter } from "@latchkey/adapter-kit"
import { Auth, type AuthConfig } from "@latchkey/core"
import { type Browser, createProvider, type FakeProvider, openBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { byName, lastOf, mailer, nextSecret, secret } from "./applications.js"

interface Tenant {
  readonly config: AuthConfig
  readonly adapter: MemoryAdapter
  readonly op: FakeProvider
  readonly links: readonly string[]
  readonly events: readonly string[]
  readonly browser: Browser
}

function tenant(name: string, settings: Partial<AuthConfig>): Tenant {
  const adapter = memoryAdapter()
  const op = createProvider({ issuer: `https://${name}.op.test` })
  const { provider: mail, links } = mailer()
  const events: string[] = []
  const config: AuthConfig = {
    adapter,
    trustHost: true,
    logger: { error: () => events.push("error") },
    providers: [op.provider(), mail, byName],
    cookies: { sessionToken: { name: `${name}-session` }, csrfToken: { name: `${name}-csrf` } },
    callbacks: { session: ({ session }) => ({ ...session, tenant: name }) },
    events: { signIn: ({ user }) => void events.push(`${name}: ${user.email}`) },
    ...settings,
  }
  const handle = async (request: Request) =>
    new URL(request.url).pathname.startsWith("/auth") ? await Auth(request, config) : new Response("app")
  const browser = openBrowser({ origin: "https://app.test", handle })
  return { config, adapter, op, links, events, browser }
}

function tenants(): { red: Tenant; blue: Tenant } {
  const red = tenant("red", { secret, session: { strategy: "database" } })
  const blue = tenant("blue", { secret: nextSecret, session: { strategy: "jwt" } })
  Object.freeze(blue.config)
  return { red, blue }
}

test("two interleaved configurations share no users, cookies or events", async () => {
  const { red, blue } = tenants()
  for (let round = 0; round < 3; round++) {
    await Promise.all([
      red.browser.signInWith(red.op, { as: "ada" }),
      blue.browser.signInWith(blue.op, { as: "grace" }),
    ])
    const [inRed, inBlue] = await Promise.all([red.browser.session(), blue.browser.session()])
    expect(inRed).toMatchObject({ tenant: "red", user: { email: "ada@example.test" } })
    expect(inBlue).toMatchObject({ tenant: "blue", user: { email: "grace@example.test" } })
    await Promise.all([red.browser.signOut(), blue.browser.signOut()])
  }
  expect(red.events).toEqual(Array(3).fill("red: ada@example.test"))
  expect(blue.events).toEqual(Array(3).fill("blue: grace@example.test"))
  expect(red.adapter.rows().users.map(({ email }) => email)).toEqual(["ada@example.test"])
  expect(blue.adapter.rows().users.map(({ email }) => email)).toEqual(["grace@example.test"])
})

test("each configuration sets cookies only under its own names", async () => {
  const { red, blue } = tenants()
  await red.browser.signInWith(red.op, { as: "ada" })
  await blue.browser.signInWith(blue.op, { as: "ada" })
  expect(red.browser.cookies.map(({ name }) => name).filter((name) => name.includes("session"))).toEqual([
    "red-session",
  ])
  expect(blue.browser.cookies.map(({ name }) => name).filter((name) => name.includes("session"))).toEqual([
    "blue-session",
  ])
  expect(blue.adapter.rows().sessions).toEqual([])
  expect(red.adapter.rows().sessions).toHaveLength(1)
})

test("a session of one configuration doesn't sign in at the other, even under the other's cookie name", async () => {
  const { red, blue } = tenants()
  await red.browser.signInWith(red.op, { as: "ada" })
  await blue.browser.signInWith(blue.op, { as: "ada" })
  for (const [from, to, name] of [
    [blue, red, "red-session"],
    [red, blue, "blue-session"],
  ] as const) {
    const [cookie] = from.browser.cookies.filter((each) => each.name.endsWith("-session"))
    const visitor = to.browser.fresh()
    if (cookie !== undefined) visitor.jar.put({ ...cookie, name })
    expect(visitor.cookies).toHaveLength(1)
    expect(await visitor.session()).toBeNull()
  }
})

test("a link of one configuration is refused by the other, and still works in its own", async () => {
  const { red, blue } = tenants()
  await red.browser.signIn("mail", { email: "ada@example.test" })
  const elsewhere = blue.browser.fresh()
  await elsewhere.get(lastOf(red.links))
  expect(elsewhere.location).toContain("error=Verification")
  expect(await elsewhere.session()).toBeNull()
  await red.browser.get(lastOf(red.links))
  expect(await red.browser.session()).toMatchObject({ tenant: "red" })
})

test("a configuration with an error doesn't affect another one", async () => {
  const { red } = tenants()
  const broken = tenant("broken", {})
  const answer = await broken.browser.get("/auth/session")
  expect(answer.status).toBe(500)
  await red.browser.signIn("mail", { email: "ada@example.test" })
  await red.browser.get(lastOf(red.links))
  expect(await red.browser.session()).toMatchObject({ tenant: "red" })
  // There is no module state: the email provider of one configuration doesn't require an adapter in another.
  const alone = tenant("alone", { secret, adapter: undefined, providers: [byName], session: { strategy: "jwt" } })
  await alone.browser.signIn("credentials", { name: "Ada" })
  expect(await alone.browser.session()).toMatchObject({ tenant: "alone" })
})
