// Applications of next-auth 4 before and after the change to @latchkey/next-auth-4, with one browser and one database.
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { createDatabase, tablesWith } from "../differential/database.js"
import { createRecorder } from "../differential/recorder.js"
import { optionsFor } from "./application.js"
import { bridge, type Library, published } from "./libraries.js"
import type { Plan } from "./plan.js"
import { serve, type Site } from "./server.js"
import { createVisitor, type Visitor } from "./visitor.js"

const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
const origin = "https://app.test"
const base = "/api/auth"

const simple: Plan = {
  router: "app",
  origin,
  trustsHost: false,
  database: "none",
  pages: {},
  authorize: "user",
  signIn: "none",
  jwt: "role",
  session: "role",
  redirect: "none",
  provider: "openid",
  cookieName: undefined,
  maxAge: undefined,
  jwtCodec: false,
  hasUser: true,
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
  vi.stubEnv("NEXTAUTH_URL", origin)
  vi.stubEnv("AUTH_TRUST_HOST", "")
  vi.stubEnv("NODE_ENV", "production")
})
afterEach(async () => {
  await Promise.all(sites.splice(0).map(async (site) => site.close()))
})

interface Both {
  readonly version4: Visitor
  readonly ours: Visitor
  readonly links: readonly string[]
}

/** One browser, before and after. */
async function open(change: Partial<Plan> = {}): Promise<Both> {
  const plan = { ...simple, ...change }
  const recorder = createRecorder()
  const adapter = createDatabase(recorder, tablesWith(["ada@example.test"]))
  const jar = new Map<string, string>()
  const visitorOf = async (library: Library) => {
    const options = optionsFor(library, plan, { recorder, op, secret })
    const site = await serve(library, plan, { ...options, ...(plan.database !== "none" && { adapter }) })
    sites.push(site)
    return createVisitor({ plan, site, op, recorder, jar })
  }
  return { version4: await visitorOf(published), ours: await visitorOf(bridge), links: recorder.links }
}

async function signIn(visitor: Visitor): Promise<void> {
  await visitor.post("/callback/credentials", { username: "ada", password: "secret", callbackUrl: "/" })
}

const userOf = async (visitor: Visitor) => ((await visitor.get(`${base}/session`)).body as { user?: unknown }).user
const serverUserOf = async (visitor: Visitor) =>
  ((await visitor.get("/server")).body as { user?: unknown } | null)?.user

const ada = { name: "Ada", email: "ada@example.test", image: "https://img.test/ada.png", role: "member" }

describe.each(["pages", "app"] as const)("in the %s router", (router) => {
  test.each<[string, Partial<Plan>]>([
    ["in a cookie", {}],
    ["over http", { origin: "http://app.test" }],
    ["in a cookie with its own name", { cookieName: "my.session" }],
    ["in a format of the application", { jwtCodec: true }],
  ])("a session %s is that of both, whichever wrote it", async (_, change) => {
    if (change.origin !== undefined) vi.stubEnv("NEXTAUTH_URL", change.origin)
    for (const first of ["version4", "ours"] as const) {
      const both = await open({ router, ...change })
      const second = first === "ours" ? "version4" : "ours"
      await signIn(both[first])
      const cookies = [...both[first].jar.keys()].filter((name) => name.includes("session"))
      expect(await userOf(both[second])).toEqual(ada)
      expect(await serverUserOf(both[second])).toEqual(ada)
      expect(await userOf(both[first])).toEqual(ada)
      expect([...both[first].jar.keys()].filter((name) => name.includes("session"))).toEqual(cookies)
      await both[second].post("/signout", { callbackUrl: "/" })
      expect(await userOf(both[first])).toBeUndefined()
    }
  })

  test("a session in the database is that of both, whichever wrote it", async () => {
    for (const first of ["version4", "ours"] as const) {
      const both = await open({ router, database: "database" })
      const second = first === "ours" ? "version4" : "ours"
      await both[first].perform({ do: "email", email: "ada@example.test", json: false, open: "once" })
      expect(await userOf(both[second])).toMatchObject({ email: "ada@example.test", role: "row" })
      await both[second].post("/signout", { callbackUrl: "/" })
      expect(await userOf(both[first])).toBeUndefined()
    }
  })

  test.each(["openid", "openid checks", "oauth", "well known"] as const)(
    "a sign-in at a provider that began at version 4 ends at the bridge (%s)",
    async (provider) => {
      const { version4, ours } = await open({ router, provider })
      const { target = "" } = await version4.post("/signin/op", { callbackUrl: "/profile" })
      const answer = await op.authorize(target, { as: "ada" })
      const { pathname, search } = new URL("location" in answer ? answer.location : "")
      expect((await ours.get(pathname + search)).location).toBe(`${origin}/profile`)
      expect(await userOf(ours)).toMatchObject({ email: "ada@example.test" })
    },
  )

  test("an open form and a link in an email of version 4 work at the bridge", async () => {
    const { version4, ours, links } = await open({ router, database: "jwt" })
    const { csrfToken } = (await version4.get(`${base}/csrf`)).body as { csrfToken: string }
    const text = JSON.parse((await version4.get(`${base}/csrf`)).text) as { csrfToken: string }
    expect(csrfToken).toBeDefined()
    await ours.post("/signin/email", { email: "ada@example.test", csrfToken: text.csrfToken })
    expect(links).toHaveLength(1)
    await version4.post("/signin/email", { email: "ada@example.test" })
    const { pathname, search } = new URL(links[1] ?? "")
    const opened = await ours.get(pathname + search)
    // The bridge can't know which browser asked for it, so it shows a page with one button.
    expect(opened.body).toBe("<page>")
    expect(opened.text).toContain("<form")
  })
})
