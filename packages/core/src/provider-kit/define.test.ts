import { describe, expect, test } from "vitest"
import type { AuthConfig } from "../model/config.js"
import type { OAuthConfig } from "../model/oauth-provider.js"
import credentials from "../providers/credentials.js"
import { makeProvider } from "../config/read-providers.js"
import { defineProvider } from "./define.js"
import { followsOptions, withOptions } from "./options.js"

interface AcmeProfile {
  id: number
  handle: string
}

const Acme = defineProvider<AcmeProfile>({
  id: "acme",
  name: "Acme",
  type: "oauth",
  authorization: { url: "https://acme.test/authorize", params: { scope: "me" } },
  token: "https://acme.test/token",
  userinfo: "https://api.acme.test/me",
  profile: ({ id, handle }) => ({ id: String(id), name: handle }),
})

const Regional = defineProvider<AcmeProfile, { readonly region: "eu" | "us" }>(({ region = "eu", issuer }) => ({
  id: "regional",
  name: "Regional",
  type: "oidc",
  issuer: issuer ?? `https://${region}.test`,
  token: `https://${region}.test/token`,
}))

describe("defineProvider", () => {
  test("returns an element of `providers`, uncalled or called, for any profile and options", () => {
    const config: AuthConfig = {
      providers: [
        Acme,
        Acme(),
        Acme({ clientId: "x", profile: ({ handle }) => ({ id: handle }) }),
        Regional,
        Regional({ region: "us" }),
      ],
    }
    expect(config.providers).toHaveLength(5)
  })

  test("keeps the options next to the facts", () => {
    const options = Object.freeze({ clientId: "x" })
    expect(Acme(options)).toMatchObject({ id: "acme", token: "https://acme.test/token", options: { clientId: "x" } })
    expect(Acme(options).clientId).toBeUndefined()
  })

  test("recomputes facts when options are added later", () => {
    const provider = Regional({ region: "us" })
    expect(provider.token).toBe("https://us.test/token")
    expect(withOptions(provider, { region: "eu", issuer: "https://i.test" })).toMatchObject({
      token: "https://eu.test/token",
      issuer: "https://i.test",
      options: { region: "eu", issuer: "https://i.test" },
    })
  })

  test("keeps manual changes when facts are recomputed", () => {
    const changed: OAuthConfig = { ...Regional(), name: "Mine" }
    expect(withOptions(changed, { region: "us" })).toMatchObject({ name: "Mine", token: "https://us.test/token" })
  })

  test("leaves other providers alone", () => {
    const foreign = { id: "x" }
    expect([followsOptions(foreign), withOptions(foreign, {}), followsOptions(Acme())]).toEqual([false, foreign, true])
  })

  test("returns a new provider on every call", () => {
    expect(Acme()).not.toBe(Acme())
    expect(Object.isFrozen(Acme())).toBe(false)
  })
})

describe("a function of the options", () => {
  test("runs once, and again only when an option changes", () => {
    const regions: unknown[] = []
    const Counted = defineProvider<AcmeProfile, { readonly region: string }>(({ region }) => {
      regions.push(region)
      return { id: "counted", name: "Counted", type: "oidc", issuer: `https://${region}.test` }
    })
    const provider = Counted({ region: "eu" })
    withOptions(provider, { region: "eu" })
    expect(regions).toEqual(["eu"])
    expect(withOptions(withOptions(provider, { region: "us" }), { region: "us" }).issuer).toBe("https://us.test")
    expect(regions).toEqual(["eu", "us"])
  })
})

describe("credentials", () => {
  test("has a default id and name", () => {
    expect(credentials({ authorize: () => null })).toMatchObject({
      id: "credentials",
      name: "Credentials",
      type: "credentials",
      credentials: {},
    })
  })

  test("keeps its options apart, as in Auth.js, until the configuration merges them", () => {
    const provider = credentials({ id: "pin", name: "PIN", authorize: () => null })
    expect(provider).toMatchObject({ id: "credentials", name: "Credentials", options: { id: "pin", name: "PIN" } })
    expect(makeProvider(provider)).toMatchObject({ id: "pin", name: "PIN" })
  })

  test("passes its fields to `authorize`", async () => {
    const provider = credentials({
      credentials: { code: { label: "Code" } },
      authorize: ({ code }) => (code === "1" ? { id: "ali" } : null),
    })
    const config: AuthConfig = { providers: [provider] }
    expect(config.providers).toEqual([provider])
    const made = makeProvider(provider)
    const request = new Request("https://a.test")
    expect(made.type === "credentials" && (await made.authorize({ code: "1" }, request))).toEqual({ id: "ali" })
    // @ts-expect-error the form has no such field
    credentials({ credentials: { code: {} }, authorize: ({ password }) => ({ id: String(password) }) })
  })
})
