import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { defaultProfile } from "../../src/config/defaults.js"
import type { OAuthProvider } from "../../src/model/oauth-provider.js"
import { colorOf } from "../../src/html/color.js"
import { stylesheet } from "../../src/html/styles.js"
import { contrast, mixed } from "./contrast.js"
import { expectEndpoints } from "./endpoints.js"
import { allFacts, cases, type Facts } from "./facts.js"
import { given, load, resolved } from "./provider.js"

describe("a provider matches its facts:", () => {
  test.each(allFacts.flatMap(cases))("%s", async (_, facts) => {
    const provider = resolved(given(facts, await load(facts)), facts.id)
    expect(provider).toMatchObject({ id: facts.id, name: facts.name, type: facts.type })

    expectEndpoints(provider, facts)
    if (facts.issuer !== undefined) expect([facts.issuer, facts.discovery?.issuer]).toContain(provider.issuer)
    if (provider.jwksEndpoint !== undefined) expect(provider.jwksEndpoint).toBe(facts.discovery?.jwks)

    expectClient(provider, facts)
  })
})

/** Client authentication and checks. */
function expectClient(provider: OAuthProvider, facts: Facts): void {
  expect([...provider.checks].toSorted()).toEqual([...facts.checks].toSorted())
  expect(provider.stateOptional).toBe(!facts.checks.includes("state"))
  expect(provider.codeChallengeMethod).toBe(facts.pkce ?? "S256")
  expect(provider.userinfoAsProfile).toBe(facts.profileFrom === "userinfo")
  const { token_endpoint_auth_method: auth = "client_secret_basic", ...client } = provider.client
  if (facts.token.auth !== "own") expect(auth).toBe(facts.token.auth)
  expect(client).toEqual(facts.client ?? {})
}

describe("a raw profile maps to exactly one user:", () => {
  const samples = allFacts
    .flatMap(cases)
    .flatMap(([title, facts]) =>
      facts.samples.map((sample, nth) => [`${title}, sample ${nth + 1}`, facts, sample] as const),
    )

  test.each(samples)("%s", async (_, facts, { profile, user }) => {
    const provider = resolved(given(facts, await load(facts)), facts.id)
    const fetch = () => Promise.reject(new Error("There is no network"))
    const urls = { signinUrl: "https://app.test/auth/signin", callbackUrl: "https://app.test/auth/callback" }
    const made = await provider.profile(profile, { access_token: "at" }, { ...provider, fetch, ...urls })
    if (provider.profile === defaultProfile) expect(made).toStrictEqual(user)
    else expect(made).toEqual(user)
    // A user who controls a profile field must not be able to make the id an object.
    expect(made.id).toBeTypeOf("string")
  })
})

const ended: ReadonlySet<string | undefined> = new Set(["dead", "deprecated"])

test.each(allFacts.map((facts) => [facts.module, facts] as const))(
  "%s is deprecated if its service has ended",
  async (_, facts) => {
    const { deprecated } = resolved(given(facts, await load(facts)), facts.id)
    if (facts.status === undefined) expect(deprecated).toBeUndefined()
    if (ended.has(facts.status)) expect(deprecated).toMatch(/^[A-Z].{10,}/)
  },
)

const iconFiles = readdirSync(new URL("../../src/provider-kit/generated/icons", import.meta.url))

test.each(allFacts.map((facts) => [facts.module, facts] as const))(
  "the button of %s has the logo, if it consists of paths",
  async (module, facts) => {
    const { style } = resolved(given(facts, await load(facts)), facts.id)
    expect(style.icon !== undefined).toBe(iconFiles.includes(`${facts.aliasOf ?? module}.ts`))
    for (const [path] of style.icon ?? []) expect(path).toMatch(/^[Mm][\dA-Za-z ,.-]+$/)
  },
)

describe("the text of a button is readable on the color of", () => {
  /** The colors of a hovered button in the style sheet: the text, the share of the brand color, and the color it's mixed with. */
  const themes = [
    ...stylesheet({}).matchAll(/--color-text:(#\w+)[^}]*?--provider-brand-color,#\w+\) (\d+)%,(#\w+)\)/g),
  ].map(([, text = "", share = "", ground = ""]) => ({ text, share: Number(share) / 100, ground }))

  test("two themes", () => {
    expect(new Set(themes.map(({ text }) => text)).size).toBe(2)
  })

  test.each(allFacts.map((facts) => [facts.module, facts] as const))("%s", async (_, facts) => {
    const { style } = resolved(given(facts, await load(facts)), facts.id)
    const brand = style.brandColor ?? style.bg ?? "#fff"
    expect(colorOf(brand)).toBe(brand)
    for (const { text, share, ground } of themes) {
      expect(contrast(text, mixed(brand, share, ground))).toBeGreaterThanOrEqual(4.5)
    }
    // Custom pages can put the provider's text color on the brand color.
    if (style.text !== undefined) expect(contrast(style.text, brand)).toBeGreaterThanOrEqual(4.5)
  })
})
