import { memoryAdapter } from "@latchkey/adapter-kit"
import type { AuthConfig } from "@latchkey/core"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { nextSecret, secret } from "./applications.js"
import { type Upgrade, upgrade } from "./version4.js"

beforeEach(() => {
  vi.stubEnv("AUTH_TRUST_HOST", "true")
})

type Check = "pkce" | "state" | "nonce"

interface Settings {
  readonly type?: "oauth" | "oidc"
  /** Of version 4. `undefined`: its default, which is `state`. */
  readonly checks?: readonly Check[]
  readonly ours?: Partial<AuthConfig>
}

interface Opened extends Upgrade {
  readonly op: FakeProvider
  /** Starts at version 4, and returns the callback URL that the provider sends the browser to. */
  start(): Promise<string>
}

async function open({ type = "oauth", checks, ours = {} }: Settings = {}): Promise<Opened> {
  const op = createProvider({ issParameter: type === "oidc" })
  const given = checks === undefined ? {} : { checks: [...checks] }
  const scope = type === "oidc" ? "openid email" : "email"
  const provider4 = {
    id: op.id,
    name: "Op",
    type: "oauth",
    issuer: op.issuer,
    authorization: { url: `${op.issuer}/authorize`, params: { scope } },
    idToken: type === "oidc",
    clientId: op.clientId,
    profile: () => null,
    ...given,
  }
  const both = await upgrade({
    version4: { providers: [provider4], secret },
    ours: { providers: [type === "oidc" ? op.provider(given) : op.oauthProvider(given)], secret, ...ours },
  })
  const start = async (): Promise<string> => {
    const csrfToken = (await both.version4.csrf()) ?? "none"
    await both.version4.post(`/api/auth/signin/${op.id}`, { csrfToken, callbackUrl: "https://app.test/welcome" })
    const answer = await op.authorize(both.version4.location, { as: "ada" })
    if (answer.method !== "GET") throw new Error("The provider answered with a form")
    return answer.location
  }
  return { ...both, op, start }
}

const flowCookies = ({ ours }: Upgrade): string[] =>
  ours.cookies.map(({ name }) => name).filter((name) => /next-auth\.(?:state|nonce|pkce)/.test(name))

describe("a sign-in at a provider that began at version 4", () => {
  test.each<[Settings]>([
    [{}],
    [{ checks: ["state"] }],
    [{ checks: ["pkce"] }],
    [{ checks: ["pkce", "state"] }],
    [{ type: "oidc" }],
    [{ type: "oidc", checks: ["state", "nonce"] }],
    [{ type: "oidc", checks: ["pkce", "state", "nonce"] }],
    [{ ours: { secret: [nextSecret, secret] } }],
  ])("ends at Latchkey, at the page where it began (%j)", async (settings) => {
    const opened = await open(settings)
    await opened.ours.get(await opened.start(), { from: opened.op.issuer })
    expect(opened.ours.location).toBe("https://app.test/welcome")
    expect(await opened.ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(flowCookies(opened)).toEqual([])
  })

  test.each<[situation: string, settings: Settings, change: (url: URL, opened: Opened) => void]>([
    ["another state", {}, (url) => url.searchParams.set("state", "x".repeat(43))],
    ["no state", {}, (url) => url.searchParams.delete("state")],
    ["no state, but PKCE", { checks: ["pkce", "state"] }, (url) => url.searchParams.delete("state")],
    ["an invented state", { checks: ["pkce"] }, (url) => url.searchParams.set("state", "x".repeat(43))],
    ["a secret that isn't listed", { ours: { secret: nextSecret } }, () => undefined],
    ["`version4: false`", { ours: { session: { version4: false } } }, () => undefined],
    ["no cookie of its own", {}, (_, { ours }) => remove(ours, "state")],
  ])("fails with %s", async (_situation, settings, change) => {
    const opened = await open(settings)
    const url = new URL(await opened.start())
    change(url, opened)
    await opened.ours.get(url.href, { from: opened.op.issuer })
    expect(opened.ours.location).toContain("error=")
    expect(await opened.ours.session()).toBeNull()
    expect(opened.op.requests.filter(({ url }) => url.pathname.endsWith("/token"))).toEqual([])
  })

  test("can't be finished twice", async () => {
    const opened = await open({ ours: { adapter: memoryAdapter() } })
    const url = await opened.start()
    const copy = opened.ours.fresh()
    for (const cookie of opened.ours.cookies) copy.jar.put(cookie)
    await opened.ours.get(url, { from: opened.op.issuer })
    await copy.get(url, { from: opened.op.issuer })
    expect(copy.location).toContain("error=")
    expect(await copy.session()).toBeNull()
  })

  test("can't be finished at another provider", async () => {
    const other = createProvider({ id: "other", issuer: "https://other.test" })
    const opened = await open({ ours: { providers: [other.provider()] } })
    const url = (await opened.start()).replace(`/callback/${opened.op.id}`, "/callback/other")
    await opened.ours.get(url, { from: other.issuer })
    expect(opened.ours.location).toContain("error=")
    expect(other.requests).toEqual([])
    expect(await opened.ours.session()).toBeNull()
  })
})

function remove({ jar, cookies }: Upgrade["ours"], part: string): void {
  for (const cookie of cookies.filter(({ name }) => name.includes(`next-auth.${part}`)))
    jar.put({ ...cookie, expires: 1 })
}
