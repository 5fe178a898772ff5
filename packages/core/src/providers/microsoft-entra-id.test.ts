import { describe, expect, test } from "vitest"
import { resolveProvider } from "../config/providers.js"
import { AccessDenied } from "../errors.js"
import type { ProfileContext } from "../model/provider.js"
import type { OAuthProvider } from "../model/resolved-provider.js"
import { systemRuntime } from "../primitives/runtime.js"
import AzureAD from "./azure-ad.js"
import MicrosoftEntraID, { type MicrosoftEntraIDOptions } from "./microsoft-entra-id.js"

const [one, two] = ["72f988bf-86f1-41af-91ab-2d7cd011db47", "9188040d-6c67-4c5b-b112-36a304b66dad"] as const
const template = "https://login.microsoftonline.com/{tenantid}/v2.0"
const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

function provider(options: MicrosoftEntraIDOptions = {}): OAuthProvider {
  return resolveProvider(MicrosoftEntraID(options), { providers: [] }, systemRuntime) as OAuthProvider
}

describe("the directories of Microsoft Entra ID", () => {
  test.each([
    ["everybody's", {}, issuerOf("common")],
    ["everybody's when told so", { tenants: "common" as const }, issuerOf("common")],
    ["the only one", { tenants: [one] }, issuerOf(one)],
    ["everybody's, to choose from several", { tenants: [one, two] }, issuerOf("common")],
  ])("ask %s authority", (_, options, issuer) => {
    expect(provider(options).issuer).toBe(issuer)
  })

  test("have each an issuer of its own", () => {
    expect(provider().issuerFor?.({ tid: one }, template)).toBe(issuerOf(one))
    expect(provider().issuerFor?.({ tid: one.toUpperCase() }, template)).toBe(issuerOf(one))
    expect(provider().issuerFor?.({ tid: one }, issuerOf(two))).toBe(issuerOf(two))
  })

  test.each([undefined, "", "common", "../evil", 7])("are named by an id: %j is none", (tid) => {
    expect(provider().issuerFor?.({ tid }, template)).toBe(template)
  })

  test("are refused when they are not listed", () => {
    const { issuerFor } = provider({ tenants: [one.toUpperCase()] })
    expect(issuerFor?.({ tid: one }, issuerOf(one))).toBe(issuerOf(one))
    for (const tid of [two, undefined, ""]) expect(() => issuerFor?.({ tid }, template)).toThrow(AccessDenied)
  })

  test.each([[[]], [["contoso.example"]], [[one, ""]]])("must be listed by their ids: %j", (tenants) => {
    expect(() => MicrosoftEntraID({ tenants })).toThrow(/directory ids/)
  })

  test("are the same under the former name", () => {
    const former = resolveProvider(AzureAD({ tenants: [one] }), { providers: [] }, systemRuntime) as OAuthProvider
    expect(former).toMatchObject({ id: "azure-ad", issuer: issuerOf(one) })
    expect(() => former.issuerFor?.({ tid: two }, template)).toThrow(AccessDenied)
  })
})

describe("the picture at Microsoft Entra ID", () => {
  const claims = { sub: "s", name: "Jane", email: "jane@example.com" }

  async function pictureFrom(answer: () => Promise<Response>, options: MicrosoftEntraIDOptions = {}) {
    const asked: string[] = []
    const resolved = provider(options)
    const fetch: ProfileContext["fetch"] = async (input, init) => {
      asked.push(`${String(input)} ${new Headers(init?.headers).get("authorization")}`)
      return answer()
    }
    const user = await resolved.profile(claims, { access_token: "t" }, { fetch })
    return { user, asked }
  }

  test("is asked for in the size that was chosen, and becomes a data address", async () => {
    const answer = async () => new Response(new Uint8Array([255, 216, 0]))
    const { user, asked } = await pictureFrom(answer, { profilePhotoSize: 96 })
    expect(user).toEqual({ id: "s", name: "Jane", email: "jane@example.com", image: "data:image/jpeg;base64, /9gA" })
    expect(asked).toEqual(["https://graph.microsoft.com/v1.0/me/photos/96x96/$value Bearer t"])
  })

  test.each([
    ["there is none", async () => new Response(null, { status: 404 })],
    ["the service is out of reach", async () => Promise.reject(new TypeError("no route"))],
  ])("is left out when %s", async (_, answer) => {
    expect((await pictureFrom(answer)).user).toMatchObject({ image: null })
  })
})
