import { createProvider, type FakeProvider, type FrozenClock } from "@latchkey/testing"
import type { Fetch } from "@latchkey/core/types"
import { count } from "./costs.js"
import { emailOf, type Name, names, origins } from "./names.js"
import type { Secrets } from "./secrets.js"

/** What the site demands of an authentication, if it demands anything. */
export const demands = { acr_values: "phr", max_age: "60", prompt: "login" } as const

export interface Providers {
  /** An honest OpenID provider. */
  readonly op: FakeProvider
  /** An honest OAuth 2 provider with numeric ids. */
  readonly hub: FakeProvider
  /** An OpenID provider that the attacker runs. The site trusts it with the attacker's own account only. */
  readonly rogue: FakeProvider
}

/** Neighbors above 2⁵³, which numbers in JavaScript can't tell apart. */
export const hubIds: Readonly<Record<Name, string>> = {
  ada: "9007199254740993",
  mallory: "9007199254740992",
  bob: "1815",
}

export function createProviders(clock: FrozenClock): Providers {
  const people = Object.fromEntries(
    names.map((name) => [name, { sub: name, name, email: emailOf(name), email_verified: true }]),
  )
  const common = { clock, algorithm: "ES256", people } as const
  const rogueOnly = { mallory: { sub: "mallory", name: "mallory", email: "mallory@rogue.test", email_verified: true } }
  return {
    op: createProvider({ ...common, id: "op", issuer: origins.op, clientSecret: "secret-of-op-7d1c40f8e2" }),
    hub: createProvider({
      ...common,
      id: "hub",
      issuer: origins.hub,
      clientSecret: "secret-of-hub-93ab77c5d0",
      faults: { userinfo: ({ body }) => hubProfile(String(body["sub"])) },
    }),
    rogue: createProvider({ ...common, id: "rogue", issuer: origins.rogue, people: rogueOnly }),
  }
}

/** The response as text, because a number in JavaScript would round the id. */
function hubProfile(sub: string): Response {
  const name = names.find((one) => one === sub) ?? "mallory"
  const text = `{"id": ${hubIds[name]}, "name": "${name}", "email": "${emailOf(name)}"}`
  return new Response(text, { headers: { "content-type": "application/json" } })
}

/** Counts what the engine asks the provider, and knows the secrets in it. */
export function watched(op: FakeProvider, secrets: Secrets): Fetch {
  secrets.know("client secret", op.clientSecret)
  return async (input, init) => {
    count("providerRequests")
    const request = new Request(input, init)
    const form = new URLSearchParams(await request.clone().text())
    secrets.know("code verifier", form.get("code_verifier"))
    const response = await op.fetch(request)
    const text = await response.clone().text()
    for (const [, token] of text.matchAll(/"(?:access|refresh|id)_token":"([^"]+)"/g))
      secrets.know("token of a provider", token)
    return response
  }
}
