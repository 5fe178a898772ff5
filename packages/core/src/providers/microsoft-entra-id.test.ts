import { describe, expect, test } from "vitest"
import { makeProvider } from "../config/read-providers.js"
import { resolveProvider } from "../config/compile.js"
import { features } from "../engine/features.js"
import { AccessDenied } from "../errors.js"
import type { ProfileContext, OAuthProvider } from "../model/oauth-provider.js"
import { systemRuntime } from "../primitives/runtime.js"
import AzureAD from "./azure-ad.js"
import MicrosoftEntraID, { type MicrosoftEntraIDOptions } from "./microsoft-entra-id.js"

const [one, two] = ["72f988bf-86f1-41af-91ab-2d7cd011db47", "9188040d-6c67-4c5b-b112-36a304b66dad"] as const
const template = "https://login.microsoftonline.com/{tenantid}/v2.0"
const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

function provider(options: MicrosoftEntraIDOptions = {}): OAuthProvider {
  return resolveProvider(
    features.providers,
    makeProvider(MicrosoftEntraID(options)),
    { providers: [] },
    systemRuntime,
  ) as OAuthProvider
}

describe("tenants of Microsoft Entra ID", () => {
  test.each([
    ["all tenants", {}, issuerOf("common")],
    ["all tenants, named explicitly", { tenants: "common" as const }, issuerOf("common")],
    ["one tenant", { tenants: [one] }, issuerOf(one)],
    ["several tenants", { tenants: [one, two] }, issuerOf("common")],
  ])("decide the issuer: %s", (_, options, issuer) => {
    expect(provider(options).issuer).toBe(issuer)
  })

  test("are checked against the issuer of their own tenant", () => {
    expect(provider().issuerFor?.({ tid: one }, template)).toBe(issuerOf(one))
    expect(provider().issuerFor?.({ tid: one.toUpperCase() }, template)).toBe(issuerOf(one))
    expect(provider().issuerFor?.({ tid: one }, issuerOf(two))).toBe(issuerOf(two))
  })

  test.each([undefined, "", "common", "../evil", 7])("are identified by a GUID, so %j changes nothing", (tid) => {
    expect(provider().issuerFor?.({ tid }, template)).toBe(template)
  })

  test("are refused unless they are in the option", () => {
    const { issuerFor } = provider({ tenants: [one.toUpperCase()] })
    expect(issuerFor?.({ tid: one }, issuerOf(one))).toBe(issuerOf(one))
    for (const tid of [two, undefined, ""]) expect(() => issuerFor?.({ tid }, template)).toThrow(AccessDenied)
  })

  test.each([[[]], [["contoso.example"]], [[one, ""]]])("must be listed as GUIDs, so %j is an error", (tenants) => {
    expect(() => MicrosoftEntraID({ tenants })).toThrow(/tenant ids/)
  })

  test("work the same with the provider azure-ad", () => {
    const former = resolveProvider(
      features.providers,
      makeProvider(AzureAD({ tenants: [one] })),
      { providers: [] },
      systemRuntime,
    ) as OAuthProvider
    expect(former).toMatchObject({ id: "azure-ad", issuer: issuerOf(one) })
    expect(() => former.issuerFor?.({ tid: two }, template)).toThrow(AccessDenied)
  })
})

describe("the image from Microsoft Graph", () => {
  const claims = { sub: "s", name: "Jane", email: "jane@example.com" }

  async function imageFrom(answer: () => Promise<Response>, options: MicrosoftEntraIDOptions = {}) {
    const asked: string[] = []
    const resolved = provider(options)
    const fetch: ProfileContext["fetch"] = async (input, init) => {
      asked.push(`${String(input)} ${new Headers(init?.headers).get("authorization")}`)
      return answer()
    }
    const user = await resolved.profile(claims, { access_token: "t" }, { fetch })
    return { user, asked }
  }

  test("has the chosen size and becomes a data URL", async () => {
    const answer = async () => new Response(new Uint8Array([255, 216, 0]))
    const { user, asked } = await imageFrom(answer, { profilePhotoSize: 96 })
    expect(user).toEqual({ id: "s", name: "Jane", email: "jane@example.com", image: "data:image/jpeg;base64, /9gA" })
    expect(asked).toEqual(["https://graph.microsoft.com/v1.0/me/photos/96x96/$value Bearer t"])
  })

  test.each([
    ["the user has none", async () => new Response(null, { status: 404 })],
    ["the request fails", async () => Promise.reject(new TypeError("no route"))],
  ])("is left out when %s", async (_, answer) => {
    expect((await imageFrom(answer)).user).toMatchObject({ image: null })
  })
})
