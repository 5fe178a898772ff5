import { catalogue } from "@latchkey/core/providers/catalogue"
import type { OAuthConfig, RawProfile } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { open, outcome } from "../flows/oauth/app.js"
import { problemWithId } from "./openid-identifiers-setup.js"

/** Values for the required options of all built-in providers. */
const options = {
  clientId: "id",
  clientSecret: "secret",
  issuer: "https://issuer.test",
  domain: "tenant",
  baseUrl: "https://issuer.test",
  authorize: () => null,
  server: "smtp://mail.test",
  from: "app@app.test",
  sendVerificationRequest: () => undefined,
}

async function load(name: string): Promise<object> {
  const module: unknown = await import(`../../src/providers/${name}.ts`)
  const { default: make } = module as { default: unknown }
  const provider: unknown = typeof make === "function" ? Reflect.apply(make, undefined, [options]) : make
  if (typeof provider === "object" && provider !== null && "type" in provider) return provider
  throw new Error(`${name} has no provider as its default export: this test cannot check it`)
}

function isOAuth(provider: object): provider is OAuthConfig {
  return "type" in provider && (provider.type === "oauth" || provider.type === "oidc")
}

/** These providers have used a changeable name as the account id in Auth.js, and existing accounts depend on it. */
const known = [
  ["pinterest", "follows <username>"],
  ["trakt", "follows <ids.slug>"],
]

attack("OIDX-09", "no built-in provider uses a field that the user can change as the account id", async () => {
  expect(catalogue.length).toBeGreaterThan(120)
  const found: [string, string | undefined][] = []
  for (const { module } of catalogue) {
    const provider = await load(module)
    const problem = isOAuth(provider) ? await problemWithId(provider) : undefined
    if (problem !== undefined) found.push([module, problem])
  }
  expect(found).toEqual(known)
})

type Map = (profile: RawProfile) => unknown

const good: readonly Map[] = [
  ({ sub }) => sub,
  ({ id }) => String(id),
  ({ user_id: id }) => Number.parseInt(String(id)) || String(id),
  ({ data }) => Reflect.get(Object(data), "id"),
]

const bad: readonly Map[] = [
  ({ email }) => email,
  ({ preferred_username: name }) => name,
  ({ username }) => username,
  ({ login }) => String(login),
  ({ upn }) => upn,
  ({ sub, email }) => `${String(sub)}:${String(email)}`,
  ({ user }) => Reflect.get(Object(Reflect.get(Object(user), "emails")), "0"),
  ({ name }) => String(name).toLowerCase(),
  ({ sub, email }) => sub ?? email,
  ({ id, login }) => (id === undefined ? login : String(id)),
  () => "constant",
  () => undefined,
]

attack("OIDX-09", "the check of the built-in providers recognizes a field that can change", async () => {
  const facts = { id: "x", name: "X", type: "oauth" } as const
  const made = (map: Map): OAuthConfig => ({ ...facts, profile: (profile) => ({ id: map(profile) }) as { id: string } })
  for (const map of good) expect(await problemWithId(made(map))).toBeUndefined()
  for (const map of bad) expect(await problemWithId(made(map))).toMatch(/follows|falls back|for every user/)
})

function withoutProfile<P extends OAuthConfig>(provider: P): Omit<P, "profile"> {
  const { profile: _, ...rest } = provider
  return rest
}

const names = {
  preferred_username: "root",
  username: "root",
  login: "root",
  upn: "root@corp.test",
  email: "root@corp.test",
}

attack("OIDX-09", "without `profile()` the account id is the subject, whatever else changes", async (mode) => {
  for (const make of ["oidc", "oauth"] as const) {
    const op = createProvider()
    const { browser, adapter } = await open([withoutProfile(make === "oidc" ? op.provider() : op.oauthProvider())], {
      security: mode,
    })
    await browser.signInWith(op, { as: "ada" })
    Object.assign(op.people.ada, names, { nickname: "root", name: "Root" })
    const later = browser.fresh()
    await later.signInWith(op, { as: "ada" })
    expect(outcome(later)).toBe("home")
    expect(adapter.rows().accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(["ada"])
    Object.assign(op.people.grace, names)
    const stranger = browser.fresh()
    await stranger.signInWith(op, { as: "grace" })
    expect(adapter.rows().accounts.map(({ providerAccountId }) => providerAccountId)).toEqual(["ada", "grace"])
  }
})

attack("OIDX-09", "without a subject no other claim becomes the account id", async (mode) => {
  const op = createProvider()
  op.inject({ userinfo: (answer) => ({ ...answer, body: { ...names } }) })
  const { browser, adapter } = await open([withoutProfile(op.oauthProvider())], { security: mode })
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("OAuthCallbackError")
  expect([await browser.session(), adapter.rows().users]).toEqual([null, []])
})
