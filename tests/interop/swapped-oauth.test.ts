import type { AuthConfig as PublishedConfig } from "@auth/core"
import { decode, encode } from "@auth/core/jwt"
import type { AuthConfig } from "@latchkey/core"
import type { Check, OAuthConfig } from "@latchkey/core/types"
import { type Browser, createProvider, type FakeProvider, faults, type ProviderOptions, visit } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { nextSecret, secret, swap, type Swap } from "./applications.js"

type Kind = "oidc" | "oauth"
type Checks = readonly Check[] | undefined
type Common = Pick<AuthConfig, "cookies" | "secret" | "redirectProxyUrl" | "useSecureCookies">

interface Settings extends Common {
  readonly origin?: string
  readonly provider?: Partial<Pick<OAuthConfig, "authorization" | "redirectProxyUrl">>
  readonly op?: FakeProvider
}

/** A provider that both applications reach over HTTP. */
async function openProvider(options: ProviderOptions = {}): Promise<FakeProvider> {
  const op = createProvider(options)
  const { close } = await op.listen()
  onTestFinished(close)
  return op
}

interface Applications extends Swap {
  readonly op: FakeProvider
}

async function applications(kind: Kind, checks: Checks, settings: Settings = {}): Promise<Applications> {
  // Without a configured issuer, @auth/core refuses every response that names one.
  const { origin, provider: more, op = await openProvider({ issParameter: kind === "oidc" }), ...common } = settings
  const overrides = { ...(checks !== undefined && { checks: [...checks] }), ...more }
  const given = kind === "oidc" ? op.provider(overrides) : op.oauthProvider(overrides)
  const config = { secret, providers: [given], ...common }
  // Both libraries accept this configuration, and their types differ only in `readonly`.
  const theirs = structured(config)
  // Latchkey asks a redirect proxy for no host that only the request names.
  return {
    op,
    ...(await swap({ theirs, ours: { ...config, deploymentOrigins: [origin ?? "https://app.test"] } }, origin)),
  }
}

/** `@auth/core` changes the lists of checks that it gets. */
function structured(config: AuthConfig): PublishedConfig {
  const [provider] = config.providers
  if (typeof provider !== "object") throw new Error("The provider is an object")
  const checks = "checks" in provider && Array.isArray(provider.checks) ? { checks: [...provider.checks] } : {}
  return { ...config, providers: [{ ...provider, ...checks }] } as unknown as PublishedConfig
}

/** Posts the sign-in form, and consents at the provider. The callback isn't opened yet. */
async function begin(browser: Browser, op: FakeProvider, as = "ada", fields: Record<string, string> = {}) {
  await browser.signIn("op", fields)
  return op.authorize(browser.location, { as })
}

type Answer = Awaited<ReturnType<typeof begin>>

async function end(browser: Browser, op: FakeProvider, answer: Answer): Promise<string | undefined> {
  await browser.follow(answer, op.issuer)
  return emailOf(browser)
}

async function emailOf(browser: Browser): Promise<string | undefined> {
  const session = await browser.session()
  return (session as { user?: { email?: string } } | null)?.user?.email
}

const ada = "ada@example.test"

const lists: readonly (readonly [Kind, Checks])[] = [
  ["oidc", ["pkce"]],
  ["oidc", ["state"]],
  ["oidc", ["nonce"]],
  ["oidc", ["pkce", "state"]],
  ["oidc", ["pkce", "nonce"]],
  ["oidc", ["state", "nonce"]],
  ["oidc", ["pkce", "state", "nonce"]],
  ["oidc", ["none"]],
  ["oidc", []],
  ["oauth", undefined],
  ["oauth", ["pkce"]],
  ["oauth", ["state"]],
  ["oauth", ["pkce", "state"]],
  ["oauth", ["none"]],
  ["oauth", []],
]

const forward: readonly (readonly [Kind, Checks])[] = [["oidc", undefined], ...lists]

const situations: readonly (readonly [string, Settings])[] = [
  ["over https", {}],
  ["over http", { origin: "http://app.test" }],
  ["with secrets in rotation", { secret: [nextSecret, secret] }],
  [
    "with configured cookies",
    {
      cookies: {
        pkceCodeVerifier: { name: "my.pkce", options: { maxAge: 600, path: "/auth" } },
        state: { name: "my.state", options: { sameSite: "none", secure: true } },
        nonce: { name: "my.nonce", options: { domain: "app.test", secure: true } },
      },
    },
  ],
]

describe.each(situations)("%s", (_situation, settings) => {
  test.each(forward)(
    "a sign-in of %s with checks %j that began at @auth/core ends at Latchkey",
    async (kind, checks) => {
      const { op, theirs, ours } = await applications(kind, checks, settings)
      const answer = await begin(theirs, op, "ada", { callbackUrl: "/account" })
      expect(await end(ours, op, answer)).toBe(ada)
      expect(new URL(ours.location).pathname).toBe("/account")
      expect(flowCookies(ours)).toEqual([])
    },
  )

  test.each(lists)("a sign-in of %s with checks %j that began at Latchkey ends at @auth/core", async (kind, checks) => {
    const { op, theirs, ours } = await applications(kind, checks, settings)
    const answer = await begin(ours, op, "ada", { callbackUrl: "/account" })
    expect(await end(theirs, op, answer)).toBe(ada)
    expect(new URL(theirs.location).pathname).toBe("/account")
  })
})

test("a sign-in that began before a secret was put in front ends on the other side", async () => {
  const op = await openProvider()
  const before = await applications("oidc", ["pkce", "state"], { op })
  const after = await applications("oidc", ["pkce", "state"], { op, secret: [nextSecret, secret] })
  for (const [from, to] of [
    [before.theirs, after.ours],
    [before.ours, after.theirs],
  ] as const) {
    const answer = await begin(from, op)
    for (const cookie of from.cookies) to.jar.put(cookie)
    expect(await end(to, op, answer)).toBe(ada)
  }
})

describe("a sign-in that began with @auth/core before 0.41.2, whose cookies name no provider,", () => {
  test.each([["pkce"], ["state"], ["pkce", "state"]] as const)("ends at Latchkey with checks %s", async (...checks) => {
    const { op, theirs, ours } = await applications("oidc", checks)
    const answer = await begin(theirs, op)
    await forgetProvider(ours)
    expect(await end(ours, op, answer)).toBe(ada)
  })

  test("doesn't end at an application with a second provider, which could have started it", async () => {
    const { op, theirs, ours } = await applications("oidc", ["pkce"])
    const other = op.oauthProvider({ id: "other" })
    const browser = await visit({ secret, providers: [op.provider({ checks: ["pkce"] }), other] })
    const answer = await begin(theirs, op)
    await forgetProvider(ours)
    for (const cookie of ours.cookies) browser.jar.put(cookie)
    expect(await end(browser, op, answer)).toBeUndefined()
    expect(op.requestsTo("token")).toEqual([])
  })
})

/** Seals the cookies as older versions did. */
async function forgetProvider({ cookies, jar }: Browser): Promise<void> {
  for (const cookie of cookies.filter(({ name }) => /pkce|state|nonce/.test(name))) {
    const { value } = (await decode({ secret, salt: cookie.name, token: cookie.value })) ?? {}
    jar.put({ ...cookie, value: await encode({ secret, salt: cookie.name, token: { value }, maxAge: 900 }) })
  }
}

describe("with an answer by form post", () => {
  const authorization = { params: { response_mode: "form_post" } }

  test.each<{ checks: Checks }>([{ checks: ["state"] }, { checks: ["nonce"] }, { checks: ["state", "nonce"] }])(
    "a sign-in that began on one side ends on the other (%j)",
    async ({ checks }) => {
      for (const [from, to] of [
        ["theirs", "ours"],
        ["ours", "theirs"],
      ] as const) {
        const all = await applications("oidc", checks, { provider: { authorization } })
        expect(await end(all[to], all.op, await begin(all[from], all.op))).toBe(ada)
      }
    },
  )
})

test("a form post answers to the deployment itself, also behind a redirect proxy of @auth/core", async () => {
  const settings = {
    redirectProxyUrl: "https://proxy.test/auth",
    provider: { authorization: { params: { response_mode: "form_post" } } },
  }
  const { op, theirs, ours } = await applications("oidc", ["state"], settings)
  const answer = await begin(theirs, op)
  expect(answer).toMatchObject({ method: "POST", action: "https://app.test/auth/callback/op" })
  expect(await end(ours, op, answer)).toBe(ada)
})

test("with every check, a provider that doesn't announce PKCE can be used from both sides", async () => {
  for (const [from, to] of [
    ["theirs", "ours"],
    ["ours", "theirs"],
  ] as const) {
    const op = await openProvider({ faults: faults.noPkceSupport })
    const all = await applications("oidc", ["pkce", "state", "nonce"], { op })
    expect(await end(all[to], op, await begin(all[from], op))).toBe(ada)
  }
})

describe("through a redirect proxy", () => {
  const redirectProxyUrl = "https://proxy.test/auth"

  test.each([
    ["@auth/core", "theirs", "@auth/core", "theirs", "Latchkey", "ours"],
    ["@auth/core", "theirs", "Latchkey", "ours", "Latchkey", "ours"],
    ["@auth/core", "theirs", "Latchkey", "ours", "@auth/core", "theirs"],
    ["Latchkey", "ours", "@auth/core", "theirs", "@auth/core", "theirs"],
    ["Latchkey", "ours", "Latchkey", "ours", "@auth/core", "theirs"],
    ["Latchkey", "ours", "@auth/core", "theirs", "Latchkey", "ours"],
  ] as const)("a sign-in begins at %s (%s), passes %s (%s) and ends at %s (%s)", async (_1, from, _2, over, _3, to) => {
    const op = await openProvider()
    const preview = await applications("oidc", ["pkce"], { op, redirectProxyUrl, origin: "https://preview.test" })
    const proxy = await applications("oidc", ["pkce"], { op, redirectProxyUrl, origin: "https://proxy.test" })
    const answer = await begin(preview[from], op)
    await proxy[over].follow(answer, op.issuer)
    await preview[to].get(proxy[over].location, { from: "https://proxy.test" })
    expect(await emailOf(preview[to])).toBe(ada)
  })

  test.each([
    ["@auth/core", "theirs", "ours"],
    ["Latchkey", "ours", "theirs"],
  ] as const)("a sign-in of the proxy itself that began at %s ends on the other side", async (_name, from, to) => {
    const proxy = await applications("oidc", ["pkce"], { redirectProxyUrl, origin: "https://proxy.test" })
    expect(await end(proxy[to], proxy.op, await begin(proxy[from], proxy.op))).toBe(ada)
  })
})

describe("in several tabs", () => {
  test("sign-ins that began with either library all end at Latchkey, in any order", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      for (const checks of [["pkce"], ["pkce", "state"], ["state", "nonce"]] as const) {
        const { op, theirs, ours } = await applications("oidc", checks)
        const answers = [await begin(theirs, op), await begin(ours, op), await begin(ours.clone(), op)]
        for (const at of order) {
          const tab = ours.clone()
          await tab.signOut()
          const answer = answers[at]
          if (answer === undefined) throw new Error("There are three answers")
          expect(await end(tab, op, answer), `${checks.join()} ${at}`).toBe(ada)
        }
      }
    }
  })

  test("the newest ends at @auth/core, as if it had begun there", async () => {
    const { op, theirs, ours } = await applications("oidc", ["pkce", "state"])
    await begin(theirs, op)
    await begin(ours, op)
    expect(await end(theirs, op, await begin(ours.clone(), op))).toBe(ada)
  })

  test("a sign-in of Latchkey survives one of @auth/core", async () => {
    const { op, theirs, ours } = await applications("oidc", ["pkce", "state"])
    const first = await begin(ours, op)
    expect(await end(theirs, op, await begin(theirs, op, "grace"))).toBe("grace@example.test")
    expect(await end(ours, op, first)).toBe(ada)
  })
})

describe("the cookies of @auth/core", () => {
  /** The callback with the code of another sign-in: an attacker signs a victim in as the attacker. */
  async function inject(victim: Browser, attacker: Browser, op: FakeProvider, state: string | undefined) {
    const answer = await begin(attacker, op, "grace")
    if (answer.method !== "GET") throw new Error("The answer is a redirect")
    const url = new URL(answer.location)
    url.searchParams.delete("state")
    if (state !== undefined) url.searchParams.set("state", state)
    await victim.get(url, { from: "https://evil.test" })
    return emailOf(victim)
  }

  test.each<{ checks: Checks }>([
    { checks: ["pkce"] },
    { checks: ["state"] },
    { checks: ["nonce"] },
    { checks: ["pkce", "state", "nonce"] },
    { checks: undefined },
  ])("don't finish a sign-in that began at Latchkey without its own cookie (%j)", async ({ checks }) => {
    for (const hasState of [true, false]) {
      const op = await openProvider({ faults: [faults.pkceIgnored, faults.codeReplay] })
      const { ours } = await applications("oidc", checks, { op })
      const answer = await begin(ours, op)
      if (answer.method !== "GET") throw new Error("The answer is a redirect")
      const own = new URL(answer.location).searchParams.get("state") ?? undefined
      const victim = ours.fresh()
      const left = ours.cookies.filter(({ name }) => !/state\.[\w-]{10}$/.test(name))
      for (const cookie of left) victim.jar.put(cookie)
      expect(await inject(victim, ours.fresh(), op, hasState ? own : undefined)).toBeUndefined()
      expect(op.requestsTo("token")).toEqual([])
    }
  })

  test("don't finish a second sign-in after the first one ended", async () => {
    const op = await openProvider({ faults: [faults.pkceIgnored, faults.codeReplay] })
    const { ours } = await applications("oauth", ["pkce"], { op })
    const answer = await begin(ours, op)
    const before = ours.cookies
    expect(await end(ours, op, answer)).toBe(ada)
    expect(flowCookies(ours)).toEqual([])
    const thief = ours.fresh()
    for (const cookie of before) thief.jar.put(cookie)
    expect(await end(thief, op, answer)).toBeUndefined()
    for (const { name } of thief.cookies)
      if (/state\./.test(name)) thief.jar.put({ ...cookieOf(thief, name), value: "x" })
    expect(await inject(thief, ours.fresh(), op, undefined)).toBeUndefined()
    expect(op.requestsTo("token")).toHaveLength(1)
  })

  test("finish a sign-in of @auth/core once", async () => {
    for (const checks of [["pkce"], ["pkce", "state"], ["nonce"]] as const) {
      const op = await openProvider({ faults: faults.codeReplay })
      const { theirs, ours } = await applications("oidc", checks, { op })
      const answer = await begin(theirs, op)
      const thieves = [ours.fresh(), ours.fresh()]
      for (const thief of thieves) for (const cookie of theirs.cookies) thief.jar.put(cookie)
      const emails = await Promise.all([ours, ...thieves].map((browser) => end(browser, op, answer)))
      expect(emails.filter((email) => email !== undefined)).toEqual([ada])
      expect(op.requestsTo("token")).toHaveLength(1)
    }
  })

  test("of another provider, of another state or with another secret finish nothing", async () => {
    const op = await openProvider()
    const { theirs, ours } = await applications("oidc", ["pkce", "state"], { op })
    const foreign = await applications("oidc", ["pkce", "state"], { op, secret: nextSecret })
    expect(await end(foreign.ours, op, await begin(theirs, op))).toBeUndefined()
    await begin(theirs, op)
    expect(await inject(ours, ours.fresh(), op, "another")).toBeUndefined()
    expect(await inject(ours, ours.fresh(), op, undefined)).toBeUndefined()
    expect(op.requestsTo("token")).toEqual([])
  })

  test("are neither set nor accepted under strict security", async () => {
    const op = await openProvider()
    const { theirs } = await applications("oidc", ["state"], { op })
    const provider = op.provider({ checks: ["state"] })
    const config = { security: "strict", environment: "development", secret, url: "https://app.test/auth" } as const
    const strict = await visit({ ...config, providers: [provider] })
    const answer = await begin(theirs, op)
    for (const cookie of theirs.cookies) {
      strict.jar.put(cookie)
      strict.jar.put({ ...cookie, name: cookie.name.replace("__Secure-", "__Host-") })
    }
    expect(await end(strict, op, answer)).toBeUndefined()
    const other = strict.fresh()
    await begin(other, op)
    expect(flowCookies(other)).toEqual([expect.stringMatching(/^__Host-authjs\.state\.[\w-]{10}$/)])
  })
})

function cookieOf({ cookies }: Browser, name: string): Browser["cookies"][number] {
  const found = cookies.find((cookie) => cookie.name === name)
  if (found === undefined) throw new Error(`There is no cookie ${name}`)
  return found
}

function flowCookies({ cookies }: Browser): string[] {
  return cookies.map(({ name }) => name).filter((name) => /pkce|state|nonce/.test(name))
}
