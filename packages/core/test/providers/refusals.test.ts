import { describe, expect, test } from "vitest"
import { allFacts, factsOf, varied } from "./facts.js"
import { type SignedIn, signIn } from "./sign-in.js"
import type { Failure } from "./simulated-service.js"

/** The page for a refusal of the provider, and the one for everything else that goes wrong. */
const pages = [
  ["/auth/signin", "OAuthCallbackError"],
  ["/auth/error", "Configuration"],
]

/** A page shows an error, and there is no session and no user. */
async function expectRefused({ browser, adapter, service }: SignedIn): Promise<void> {
  expect(service.mismatches).toEqual([])
  const { pathname, searchParams } = new URL(browser.location)
  expect(pages).toContainEqual([pathname, searchParams.get("error")])
  expect(await browser.session()).toBeNull()
  const { users, accounts, sessions } = adapter.rows()
  expect([users, accounts, sessions]).toEqual([[], [], []])
}

describe("a code that the service refuses doesn't sign in:", () => {
  const own = allFacts.filter(({ refusal }) => refusal !== undefined).map(({ module }) => module)
  test.each([...own, "42-school", "google", "epicgames", "azure-devops", "startgg"])("%s", async (module) => {
    await expectRefused(await signIn(factsOf(module), { refused: true }))
  })
})

const failures: readonly (readonly [title: string, userinfo: NonNullable<Failure["userinfo"]>])[] = [
  ["401", { status: 401, headers: { "www-authenticate": "Bearer" }, body: { error: "invalid_token" } }],
  ["403 as text", { status: 403, headers: { "content-type": "text/plain" }, body: "Forbidden" }],
  ["500", { status: 500, headers: {}, body: {} }],
  ["a redirect", { status: 302, headers: { location: "https://elsewhere.test/" }, body: "" }],
  ["a page", { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><title>Sorry</title>" }],
  ["a list", { status: 200, headers: {}, body: [] }],
  ["nothing", { status: 200, headers: {}, body: "" }],
  ["null", { status: 200, headers: {}, body: "null" }],
  ["larger than 1 MB", { status: 200, headers: {}, body: { name: "x".repeat(1_100_000) } }],
]

/** Every provider with a custom request, and some with a standard one. */
const modules = allFacts
  .filter(({ userinfo }) => userinfo?.custom === true)
  .map(({ module }) => module)
  .concat(["42-school", "bankid-no", "todoist", "yahoo"])

describe.each(modules)("%s doesn't sign in if the userinfo response is", (module) => {
  test.each(failures)("%s", async (_, userinfo) => {
    await expectRefused(await signIn(factsOf(module), { userinfo }))
  })
})

describe("an error in a successful response doesn't sign in:", () => {
  test.each<readonly [string, unknown]>([
    ["wechat", { errcode: 40003, errmsg: "invalid openid" }],
    ["anilist", { errors: [{ message: "Invalid token", status: 400 }], data: null }],
    ["linear", { errors: [{ message: "Authentication required" }] }],
    ["startgg", { success: false, message: "Invalid authentication token" }],
    ["nextcloud", { ocs: { meta: { statuscode: 997, status: "failure" }, data: [] } }],
    ["vk", { error: { error_code: 5, error_msg: "User authorization failed" } }],
    ["gumroad", { success: false, message: "The access token is invalid" }],
    ["naver", { resultcode: "024", message: "Authentication failed" }],
    ["tiktok", { data: {}, error: { code: "access_token_invalid", message: "" } }],
    ["kick", { data: [], message: "OK" }],
    ["yandex", {}],
    ["strava", {}],
  ])("%s with %j", async (module, body) => {
    await expectRefused(await signIn(factsOf(module), { userinfo: { status: 200, headers: {}, body } }))
  })
})

describe("a user of one tenant can't sign in as a user of another:", () => {
  const ours = "https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0"
  const theirs = "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0"

  test.each(["microsoft-entra-id", "azure-ad"])("%s", async (module) => {
    const lying = varied(factsOf(module), { discovery: { tokenIssuer: theirs } })
    await expectRefused(await signIn(lying))

    const elsewhere = varied(factsOf(module), {
      options: { issuer: ours },
      discovery: { at: `${ours}/.well-known/openid-configuration`, issuer: ours, tokenIssuer: theirs },
    })
    await expectRefused(await signIn(elsewhere))
  })

  test("azure-ad-b2c", async () => {
    const lying = varied(factsOf("azure-ad-b2c"), {
      discovery: { tokenIssuer: "https://tenant.b2clogin.com/else/v2.0/" },
    })
    await expectRefused(await signIn(lying))
  })
})
