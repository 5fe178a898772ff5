import { readdirSync } from "node:fs"
import { catalogue, variableName } from "@latchkey/core/providers/catalogue"
import { describe, expect, test } from "vitest"
import { allFacts, factsOf } from "./facts.js"

function namesIn(folder: string, extension: string): readonly string[] {
  return readdirSync(new URL(`../../${folder}`, import.meta.url))
    .filter((file) => file.endsWith(extension) && !file.endsWith(`.test${extension}`))
    .map((file) => file.slice(0, -extension.length))
    .toSorted()
}

const oauth = catalogue.filter(({ type }) => type !== "email")

describe("a provider is three files:", () => {
  test("every OAuth or OpenID Connect provider has facts and a logo, and there are no others", () => {
    const modules = oauth.map(({ module }) => module)
    expect(modules.length).toBeGreaterThanOrEqual(120)
    expect(modules).toEqual(allFacts.map(({ module }) => module).toSorted())
    expect(modules).toEqual(namesIn("logos", ".svg"))
  })

  test("every source file is in the catalogue, except for credentials and passkeys", () => {
    const others = ["credentials", "index", "passkey", "webauthn"]
    expect(
      catalogue
        .map(({ module }) => module)
        .concat(others)
        .toSorted(),
    ).toEqual(namesIn("src/providers", ".ts"))
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  })
})

describe("the catalogue says of", () => {
  test.each(oauth)("$module what the facts say", ({ id, name, type, exportName, module, env, needs, deprecated }) => {
    const facts = factsOf(module)
    expect({ id, name, type, exportName }).toEqual({
      id: facts.id,
      name: facts.name,
      type: facts.type,
      exportName: facts.exportName,
    })
    if (facts.status === undefined) expect(deprecated).toBe(false)
    if (facts.status === "dead" || facts.status === "deprecated") expect(deprecated).toBe(true)
    expect(env.clientSecret).toBe(facts.token.auth === "none" ? undefined : variableName(id, "SECRET"))
    if (needs.includes("issuer")) expect(facts.options).toHaveProperty("issuer")
  })

  test("a provider whose module differs from its id which variables it reads", () => {
    expect(catalogue.find(({ module }) => module === "ory-hydra")?.env).toEqual({
      clientId: "AUTH_HYDRA_ID",
      clientSecret: "AUTH_HYDRA_SECRET",
      issuer: "AUTH_HYDRA_ISSUER",
    })
  })

  test.each([
    ["apple", { needs: ["teamId", "keyId"], env: { apiKey: "AUTH_APPLE_KEY" } }],
    ["auth0", { needs: ["issuer"], issuer: "https://<tenant>.auth0.com" }],
    ["github", { needs: [], options: ["enterprise.baseUrl"], issuer: undefined }],
    ["azure-ad", { options: ["tenants", "profilePhotoSize"], deprecated: true }],
    ["lichess", { env: { clientId: "AUTH_LICHESS_ID" } }],
    ["nodemailer", { needs: ["server"], env: {}, type: "email" }],
    ["loops", { needs: ["transactionalId"], env: { apiKey: "AUTH_LOOPS_KEY" } }],
    ["http-email", { needs: ["endpoint"], options: ["endpoint", "headers", "body"], exportName: "HttpEmail" }],
  ])("%s what you need to set it up", (module, expected) => {
    expect(catalogue.find((entry) => entry.module === module)).toMatchObject(expected)
  })
})
