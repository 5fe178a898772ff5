import { withEnv } from "@latchkey/core/env"
import { describe, expect, test } from "vitest"
import type { Provider } from "../../src/model/given-provider.js"
import { expectEndpoints } from "./endpoints.js"
import { allFacts, client, type Facts, type Fields } from "./facts.js"
import { load, resolved } from "./provider.js"

/** The options that a variable can set, with the end of its name. */
const variables: Fields = { issuer: "ISSUER", apiKey: "KEY" }

/** Everything that variables can set, for this id. */
function environmentOf({ token, options = {} }: Facts, id: string): Fields {
  const prefix = `AUTH_${id.toUpperCase().replaceAll(/[-.]/g, "_")}`
  const more = Object.entries(variables).flatMap(([option, suffix]) => {
    const value = options[option]
    return typeof value === "string" ? [[`${prefix}_${suffix}`, value]] : []
  })
  return {
    [`${prefix}_ID`]: client.clientId,
    ...(token.auth === "none" ? {} : { [`${prefix}_SECRET`]: client.clientSecret }),
    ...Object.fromEntries(more),
  }
}

/** The options that no variable can set. */
function restOf({ options = {} }: Facts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in variables)))
}

function expectAllOf(facts: Facts, provider: Provider, id: string, env: Fields): void {
  const [filled] = withEnv({ providers: [provider] }, env).providers
  if (filled === undefined) throw new Error("`withEnv` returned no provider")
  const found = resolved(filled, id)
  const clientSecret = facts.token.auth === "none" ? undefined : client.clientSecret
  expect([found.clientId, found.clientSecret]).toEqual([client.clientId, clientSecret])
  expectEndpoints(found, facts)
}

const all = allFacts.map((facts) => [facts.id, facts] as const)

describe("environment variables set the client and every endpoint of", () => {
  test.each(all.filter(([, facts]) => Object.keys(restOf(facts)).length === 0))("%s, uncalled", async (id, facts) => {
    expectAllOf(facts, await load(facts), id, environmentOf(facts, id))
  })

  test.each(all)("%s, called with the options that no variable can set", async (id, facts) => {
    const factory = await load(facts)
    expectAllOf(facts, factory(restOf(facts)), id, environmentOf(facts, id))
  })

  test.each(all)("%s, with another id", async (id, facts) => {
    const factory = await load(facts)
    const provider = factory({ ...restOf(facts), id: "my-own.one" })
    expectAllOf(facts, provider, "my-own.one", { ...another(facts, id), ...environmentOf(facts, "my-own.one") })
  })
})

/** Variables for the built-in id, which belong to another client of the same service. */
function another(facts: Facts, id: string): Fields {
  return Object.fromEntries(Object.keys(environmentOf(facts, id)).map((name) => [name, "https://another.test"]))
}
