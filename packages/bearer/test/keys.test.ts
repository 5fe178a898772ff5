import { describe, expect, test } from "vitest"
import { minted, read, signIn, siteOf, verifierOf } from "./site.js"

interface KeySet {
  readonly keys: readonly { readonly kid: string }[]
}

type Site = ReturnType<typeof siteOf>

async function published(site: Site): Promise<readonly string[]> {
  const { keys } = await read<KeySet>(await site.send("bearer/jwks"))
  return keys.map(({ kid }) => kid)
}

function kidOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid
}

describe("keys that are made here", () => {
  test("are published with cache headers, and without the private part", async () => {
    const site = siteOf()
    const response = await site.send("bearer/jwks")
    expect(response.headers.get("cache-control")).toBe("public, max-age=600")
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    const [key = {}] = (await read<KeySet>(response)).keys
    expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"])
    expect(JSON.stringify(site.store.rows())).not.toContain('"d"')
  })

  test("are made once, also by 20 parallel first requests", async () => {
    const site = siteOf()
    const all = await Promise.all(Array.from({ length: 20 }, async () => published(site)))
    expect(new Set(all.flat()).size).toBe(1)
  })

  test("are replaced after 90 days: the next is published a cache lifetime before its first use", async () => {
    const site = siteOf({ config: { session: { strategy: "jwt", maxAge: 400 * 86_400 } } })
    const browser = await signIn(site)
    const verify = verifierOf(site)
    const first = kidOf(await minted(browser))
    site.clock.advance({ days: 90, minutes: -9 })
    const [, second] = await published(site)
    expect(await published(site)).toEqual([first, second])
    // A verifier that loads the keys now keeps them until the new one signs.
    const last = await minted(browser)
    await verify(last)
    expect(kidOf(last)).toBe(first)
    site.clock.advance({ minutes: 10 })
    expect(kidOf(await minted(browser))).toBe(first)
    site.clock.advance({ minutes: 2 })
    const token = await minted(browser)
    expect(kidOf(token)).toBe(second)
    await verify(token)
    // The old one is published until its last token has expired.
    site.clock.advance({ minutes: 9 })
    expect(await published(site)).toEqual([first, second])
    site.clock.advance({ minutes: 4 })
    expect(await published(site)).toEqual([second])
  })
})

test("the metadata names the endpoints", async () => {
  const site = siteOf({ introspection: [{ id: "api", secret: "0123456789012345678901234567890123456789" }] })
  const response = await site.send("bearer/.well-known/oauth-authorization-server")
  expect(await response.json()).toMatchObject({
    issuer: "https://app.test/auth/bearer",
    jwks_uri: "https://app.test/auth/bearer/jwks",
    authorization_endpoint: "https://app.test/auth/bearer/authorize",
    token_endpoint: "https://app.test/auth/bearer/token",
    introspection_endpoint: "https://app.test/auth/bearer/introspect",
    code_challenge_methods_supported: ["S256"],
  })
})
