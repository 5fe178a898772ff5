import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { catalogue } from "../../src/providers/catalogue.js"

/** Files that are no provider: what providers are made with, and one for each other way to sign in. */
const others = [
  "address",
  "apple-secret",
  "built-in-id",
  "catalogue",
  "credentials",
  "define",
  "fetch-json",
  "index",
  "openid-claims",
  "variable-name",
]

function modulesIn(folder: string): readonly string[] {
  return readdirSync(new URL(`../../../${folder}`, import.meta.url))
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ""))
    .filter((name) => !others.includes(name))
    .toSorted()
}

const modules = catalogue.map(({ module }) => module).toSorted()

describe("the catalogue of providers", () => {
  test("has 120 identity providers", () => {
    expect(catalogue.filter(({ type }) => type !== "email")).toHaveLength(120)
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  })

  test("names every file, and only files that are there", () => {
    expect(modules).toEqual(modulesIn("core/src/providers"))
  })

  test.each(["next", "express"])("names what @latchkey/%s offers under the same path", (name) => {
    expect(modules).toEqual(modulesIn(`${name}/src/providers`))
  })

  test.each(catalogue.filter(({ type }) => type !== "email"))("says of $module what its file says", async (entry) => {
    const { id, name, type, module, deprecated, needs } = entry
    const loaded: unknown = await import(`../../src/providers/${module}.ts`)
    const { default: provider } = loaded as { default: (options?: object) => Record<string, unknown> }
    const made = provider()
    expect(made).toMatchObject({ id, name, type })
    expect(made["deprecated"] !== undefined).toBe(deprecated)
    if (!needs.includes("issuer") && type === "oidc") expect(made["issuer"] ?? entry.env.clientId).toBeTypeOf("string")
  })

  test("names the variables of a provider by its id", () => {
    expect(catalogue.find(({ module }) => module === "ory-hydra")?.env).toEqual({
      clientId: "AUTH_HYDRA_ID",
      clientSecret: "AUTH_HYDRA_SECRET",
      issuer: "AUTH_HYDRA_ISSUER",
    })
    expect(catalogue.find(({ id }) => id === "apple")?.env).toMatchObject({ apiKey: "AUTH_APPLE_KEY" })
    expect(catalogue.find(({ id }) => id === "lichess")?.env).toEqual({ clientId: "AUTH_LICHESS_ID" })
  })
})
