import { InvalidConfig } from "@latchkey/core/errors"
import { createServer } from "@latchkey/core/server"
import { type CompletedSignIn, defineModule, type ModuleContext } from "@latchkey/core/module"
import { describe, expect, test } from "vitest"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { site, type SiteOptions, visitorOf } from "../account/setup.js"

const strategies: readonly (readonly [string, SiteOptions])[] = [
  ["in the database", { session: { strategy: "database" } }],
  ["in cookies that are revocable", { session: { strategy: "jwt" }, security: { revocableSessions: true } }],
]

type End = (id: string, session: string) => Promise<boolean>

/** A module that keeps what it hears of sign-ins, and ends sessions for the application. */
function keeper() {
  const seen: CompletedSignIn[] = []
  const module = defineModule({
    id: "keeper",
    members: ["end"],
    load: async () => ({
      endsSessions: true,
      after: (_, signIn) => void seen.push(signIn),
      server: ({ users }: ModuleContext) => ({
        end: async (id: string, session: string) => users.endSession(id, session, "their provider said so"),
      }),
    }),
  })
  return { module, seen }
}

async function siteWith(options: SiteOptions) {
  const { module, seen } = keeper()
  const ended: unknown[] = []
  const its = await site(memoryAdapter(), {
    ...options,
    modules: [module],
    events: {
      signOut: (message) => void ended.push(message.reason),
    },
  })
  const server = createServer(its.config)
  const end = (server.members["keeper"] as unknown as { readonly end: End }).end
  return { ...its, seen, ended, server, end }
}

describe.each(strategies)("sessions %s", (_, options) => {
  test("a module learns the name of the session that started, and can end it", async () => {
    const { browser, phone, first, seen, end, ended } = await siteWith(options)
    const other = await phone()
    await browser.signInWith(first, { as: "ada" })
    await other.signInWith(first, { as: "ada" })
    const [{ user, session = "", account } = {}] = seen as readonly Partial<CompletedSignIn>[]
    expect(account?.id_token).toBeTypeOf("string")
    expect(await end(user?.id ?? "", session)).toBe(true)
    expect([await browser.session(), (await other.session()) === null]).toEqual([null, false])
    expect(ended).toEqual(["their provider said so"])
    expect(await end(user?.id ?? "", session)).toBe(false)
  })

  test("a session of another user doesn't end", async () => {
    const { browser, phone, first, seen, end } = await siteWith(options)
    await browser.signInWith(first, { as: "ada" })
    await (await phone()).signInWith(first, { as: "grace" })
    const [ada, grace] = seen
    expect(await end(grace?.user.id ?? "", ada?.session ?? "")).toBe(false)
    expect(await browser.session()).not.toBeNull()
  })

  test("a sign-in names the session that it replaces", async () => {
    const { browser, first, seen } = await siteWith(options)
    await browser.signInWith(first, { as: "ada" })
    await browser.signInWith(first, { as: "ada" })
    expect(seen[1]?.current).toEqual({ id: seen[0]?.user.id, session: seen[0]?.session })
  })

  test("a sign-out everywhere says so in its event", async () => {
    const { browser, first, server, ended } = await siteWith(options)
    await browser.signInWith(first, { as: "ada" })
    await server.signOut(visitorOf(browser), { scope: "all" })
    await browser.signInWith(first, { as: "ada" })
    await browser.signOut()
    expect(ended).toEqual(["all", undefined])
  })
})

test("a module that ends sessions doesn't work with those that can't be ended", async () => {
  const { server } = await siteWith({ session: { strategy: "jwt" }, security: { revocableSessions: false } })
  const error: unknown = await (server.members["keeper"] as unknown as { readonly end: End })
    .end("ada", "session")
    .catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(InvalidConfig)
  expect(String(error)).toContain("security.revocableSessions")
})
