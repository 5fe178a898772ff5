// Published adapters, with one browser that uses next-auth 4 and the bridge in turn.
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { createDatabase, tablesWith } from "../differential/database.js"
import { createRecorder } from "../differential/recorder.js"
import { stores } from "../stores.js"
import { optionsFor } from "./application.js"
import { bridge, type Library, published } from "./libraries.js"
import type { Plan } from "./plan.js"
import { serve, type Site } from "./server.js"
import { createVisitor, type Visitor } from "./visitor.js"

type Anything = ReturnType<typeof JSON.parse>

/** An adapter of an application, which keeps what is created. */
function ownAdapter(): { readonly created: readonly Anything[] } {
  const tables: Anything = createDatabase(createRecorder(), tablesWith([]))
  const created: Anything[] = []
  const keeping = (name: string) => async (given: Anything) => {
    created.push(given)
    return tables[name](given)
  }
  return { ...tables, created, createUser: keeping("createUser"), linkAccount: keeping("linkAccount") }
}

const plan: Plan = {
  router: "app",
  origin: "https://app.test",
  trustsHost: false,
  database: "database",
  pages: {},
  authorize: "user",
  signIn: "none",
  jwt: "none",
  session: "none",
  redirect: "none",
  provider: "openid",
  cookieName: undefined,
  maxAge: undefined,
  jwtCodec: false,
  hasUser: false,
}

let op: FakeProvider
let close: () => Promise<void>
const sites: Site[] = []

beforeAll(async () => {
  op = createProvider({ id: "op", issParameter: false })
  ;({ close } = await op.listen())
})
afterAll(async () => close())
beforeEach(() => {
  vi.stubEnv("NEXTAUTH_URL", plan.origin)
  vi.stubEnv("AUTH_TRUST_HOST", "")
})
afterEach(async () => {
  await Promise.all(sites.splice(0).map(async (site) => site.close()))
})

async function visit(library: Library, adapter: unknown, jar: Map<string, string>): Promise<Visitor> {
  const recorder = createRecorder()
  const options = optionsFor(library, plan, { recorder, op, secret: "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz" })
  const site = await serve(library, plan, { ...options, adapter })
  sites.push(site)
  return createVisitor({ plan, site, op, recorder, jar })
}

const emailOf = async (visitor: Visitor) => ((await visitor.get("/api/auth/session")).body as Anything)?.user?.email

const oauth = { do: "oauth", json: false, callbackUrl: "/", outcome: "ok" } as const
const email = { do: "email", email: "grace@example.test", json: false, open: "once" } as const

const adapters = [...stores, { name: "an adapter of the application", open: async () => ownAdapter() }]

test.each(adapters)("$name has the users, accounts and sessions of both", async ({ open }) => {
  const adapter: unknown = await open()
  const jar = new Map<string, string>()
  const [version4, ours] = [await visit(published, adapter, jar), await visit(bridge, adapter, jar)]
  for (const [first, second] of [
    [ours, version4],
    [version4, ours],
  ] as const) {
    for (const step of [oauth, email]) {
      await first.perform(step)
      const expected = step.do === "oauth" ? "ada@example.test" : step.email
      expect(await emailOf(second), step.do).toBe(expected)
      await second.post("/signout", { callbackUrl: "/" })
      expect(await emailOf(first)).toBeUndefined()
    }
  }
})

test("the database chooses the id of a user, and the account is stored as version 4 stores it", async () => {
  const created: Anything[] = []
  for (const library of [published, bridge]) {
    const adapter = ownAdapter()
    const visitor = await visit(library, adapter, new Map())
    await visitor.perform(oauth)
    const [user, account] = adapter.created
    expect(user).not.toHaveProperty("id")
    const shown = { ...account, token_type: account.token_type.toLowerCase() }
    created.push({ user, account: Object.keys(shown).toSorted((a, b) => (a < b ? -1 : 1)), type: account.type })
  }
  expect(created[1]).toEqual(created[0])
})
