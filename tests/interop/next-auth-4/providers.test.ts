// The providers of @latchkey/next-auth-4 beside those of next-auth 4.24.15.
import { createRequire } from "node:module"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import NextAuth from "@latchkey/next-auth-4"
import { describe, expect, test } from "vitest"

type Anything = ReturnType<typeof JSON.parse>

const require = createRequire(import.meta.url)
const folder = join(dirname(require.resolve("next-auth-4")), "providers")
const other = ["index", "oauth", "oauth-types", "credentials", "email"]
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.slice(0, -3))
  .filter((name) => !other.includes(name))

const options = {
  clientId: "id",
  clientSecret: "secret",
  issuer: "https://issuer.test",
  tenantId: "tenant",
  primaryUserFlow: "flow",
  domain: "dom.test",
  region: "EU",
}

/** The endpoints and scopes of these have changed at the service since version 4, or it asks the service in another way. */
const changed: Readonly<Record<string, readonly string[]>> = {
  "azure-ad-b2c": ["scope"],
  atlassian: ["scope", "params"],
  bungie: ["userinfo"],
  coinbase: ["authorization", "token"],
  dropbox: [],
  facebook: ["authorization"],
  foursquare: ["userinfo"],
  freshbooks: ["authorization", "token", "userinfo", "scope"],
  fusionauth: ["token", "userinfo"],
  hubspot: ["params"],
  linkedin: ["authorization", "token", "userinfo", "wellKnown", "idToken"],
  osso: ["authorization", "token", "userinfo"],
  salesforce: ["authorization", "token", "userinfo", "checks", "wellKnown"],
  todoist: ["userinfo"],
  trakt: ["userinfo"],
  twitter: ["authorization", "token", "userinfo", "scope", "checks", "name"],
  workos: ["authorization", "token", "userinfo", "params"],
}

/** What decides how a user signs in, with the defaults of version 4. */
function facts(provider: Anything): Anything {
  const { id, name, type, checks = "state", authorization, token, userinfo } = provider
  return {
    id,
    name,
    type,
    ...discovery(provider),
    checks: new Set([checks].flat()),
    ...authorizationOf(typeof authorization === "string" ? { url: authorization } : (authorization ?? {})),
    token: endpoint(token),
    userinfo: endpoint(userinfo),
  }
}

function discovery({ wellKnown, idToken, issuer, options: given }: Anything): Anything {
  const url = idToken === true ? `${issuer ?? given?.issuer}/.well-known/openid-configuration` : undefined
  return { wellKnown: wellKnown ?? url, idToken: idToken ?? wellKnown?.includes("openid-configuration") ?? false }
}

function authorizationOf({ url: text, params: given }: Anything): Anything {
  const url = text === undefined ? undefined : new URL(text)
  const { scope = "openid", client_id: _, ...params } = { ...Object.fromEntries(url?.searchParams ?? []), ...given }
  return { authorization: url && url.origin + url.pathname, scope: new Set(scope.split(" ")), params }
}

function endpoint(given: Anything): string | undefined {
  const url = typeof given === "string" ? given : given?.url
  return url === undefined ? undefined : new URL(url).origin + new URL(url).pathname
}

describe("the provider", () => {
  test.each(names)("%s has the id, name, scope and checks of version 4", async (name) => {
    const { default: theirs } = require(`next-auth-4/providers/${name}`)
    const { default: ours } = await import(`../../../packages/next-auth-4/src/providers/${name}.ts`)
    const version = name === "twitter" ? { version: "2.0" } : {}
    const [a, b] = [facts(theirs({ ...options, ...version })), facts(ours({ ...options, ...version }))]
    for (const part of changed[name] ?? []) for (const each of [a, b]) Reflect.deleteProperty(each, part)
    // Some have a query.
    for (const each of [a, b]) each.wellKnown = each.wellKnown?.split("?")[0]
    if (name === "azure-ad") for (const each of [a, b]) Reflect.deleteProperty(each, "wellKnown")
    expect(b).toEqual(a)
  })

  test.each(names)("%s passes the check of the engine", async (name) => {
    const { default: ours } = await import(`../../../packages/next-auth-4/src/providers/${name}.ts`)
    const provider = ours({ ...options, ...(name === "twitter" && { version: "2.0" }) })
    const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
    const errors: unknown[] = []
    const logger = { error: (...entry: unknown[]) => void errors.push(entry), warn: () => undefined }
    const handler = NextAuth({ providers: [provider], secret, logger })
    const params = { nextauth: ["providers"] }
    const response: Response = await handler(new Request("http://localhost:3000/api/auth/providers"), { params })
    const { id } = provider
    expect(errors).toEqual([])
    expect(await response.json()).toMatchObject({ [id]: { id, type: "oauth" } })
  })
})

test("an OAuth 1.0 provider is refused with the name of the OAuth 2.0 provider, before the first request", async () => {
  const { default: Twitter } = await import("@latchkey/next-auth-4/providers/twitter")
  const keys = { clientId: "id", clientSecret: "secret" }
  expect(() => NextAuth({ providers: [Twitter(keys)] })).toThrow(/OAuth 1\.0.*`version: "2\.0"` to TwitterProvider/)
  expect(() => NextAuth({ providers: [Twitter({ ...keys, version: "2.0" })] })).not.toThrow()
  const custom: Anything = { id: "old", name: "Old", type: "oauth", version: "1.0A", profile: () => ({ id: "1" }) }
  expect(() => NextAuth({ providers: [custom] })).toThrow("The provider Old uses OAuth 1.0")
})
