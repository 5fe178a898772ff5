import { describe, expect, test } from "vitest"
import type { AuthConfig } from "../model/config.js"
import type { OAuthConfig } from "../model/provider.js"
import credentials from "../providers/credentials.js"
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
  test("makes what fits `providers`, as it is and called, whatever its profile and options are", () => {
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

  test("keeps the options beside the facts", () => {
    const options = Object.freeze({ clientId: "x" })
    expect(Acme(options)).toMatchObject({ id: "acme", token: "https://acme.test/token", options: { clientId: "x" } })
    expect(Acme(options).clientId).toBeUndefined()
  })

  test("lets facts depend on options, also on those that come later", () => {
    const provider = Regional({ region: "us" })
    expect(provider.token).toBe("https://us.test/token")
    expect(withOptions(provider, { region: "eu", issuer: "https://i.test" })).toMatchObject({
      token: "https://eu.test/token",
      issuer: "https://i.test",
      options: { region: "eu", issuer: "https://i.test" },
    })
  })

  test("keeps what was changed by hand when facts are made again", () => {
    const changed: OAuthConfig = { ...Regional(), name: "Mine" }
    expect(withOptions(changed, { region: "us" })).toMatchObject({ name: "Mine", token: "https://us.test/token" })
  })

  test("leaves a provider from elsewhere alone", () => {
    const foreign = { id: "x" }
    expect([followsOptions(foreign), withOptions(foreign, {}), followsOptions(Acme())]).toEqual([false, foreign, true])
  })

  test("gives every call its own provider", () => {
    expect(Acme()).not.toBe(Acme())
    expect(Object.isFrozen(Acme())).toBe(false)
  })
})

describe("credentials", () => {
  test("has an id and a name unless given ones", () => {
    expect(credentials({ authorize: () => null })).toMatchObject({
      id: "credentials",
      name: "Credentials",
      type: "credentials",
      credentials: {},
    })
    expect(credentials({ id: "pin", name: "PIN", authorize: () => null })).toMatchObject({ id: "pin", name: "PIN" })
  })

  test("names its fields in what `authorize` gets", async () => {
    const provider = credentials({
      credentials: { code: { label: "Code" } },
      authorize: ({ code }) => (code === "1" ? { id: "ali" } : null),
    })
    const config: AuthConfig = { providers: [provider] }
    expect(config.providers).toEqual([provider])
    expect(await provider.authorize({ code: "1" }, new Request("https://a.test"))).toEqual({ id: "ali" })
    // @ts-expect-error a field that the form does not have
    credentials({ credentials: { code: {} }, authorize: ({ password }) => ({ id: String(password) }) })
  })
})
