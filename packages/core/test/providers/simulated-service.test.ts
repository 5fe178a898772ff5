import { describe, expect, test } from "vitest"
import { type Change, factsOf, varied } from "./facts.js"
import { signIn } from "./sign-in.js"
import { simulateService } from "./simulated-service.js"

describe("a simulated service notices a difference between its facts and a request:", () => {
  test.each<readonly [string, Change, string]>([
    ["google", { authorization: { params: { scope: "openid" } } }, 'authorization: `scope` is "openid profile email"'],
    ["google", { checks: ["state", "nonce"] }, "authorization: `code_challenge` is"],
    ["google", { checks: ["pkce", "state"] }, "authorization: `nonce` is"],
    ["slack", { checks: ["pkce", "nonce", "state"] }, "authorization: `code_challenge` is nothing"],
    [
      "spotify",
      { authorization: { params: { scope: "user-read-email", more: "1" } } },
      "authorization: `more` is nothing",
    ],
    [
      "spotify",
      { authorization: { url: "https://accounts.spotify.com/other" } },
      "authorization: sent to https://accounts",
    ],
    [
      "wechat",
      { authorization: { url: "https://open.weixin.qq.com/connect/oauth2/authorize" } },
      "authorization: sent to",
    ],
    ["spotify", { pkce: "plain" }, "authorization: `code_challenge_method` is"],
    ["spotify", { id: "spotify2" }, "authorization: `redirect_uri` is"],
    ["spotify", { token: { auth: "client_secret_post" } }, "token: the client authenticates with another method"],
    ["strava", { token: { auth: "client_secret_basic" } }, "token: `client_secret` is"],
    ["spotify", { token: { auth: "none" } }, "token: the client authenticates with another method"],
    ["etsy", { token: { auth: "client_secret_post" } }, "token: `client_secret` is nothing"],
    ["spotify", { token: { form: { action: "x" } } }, "token: `action` is nothing"],
    ["withings", { token: { form: {} } }, 'token: `action` is "requesttoken" and should be nothing'],
    ["vk", { token: { url: "https://oauth.vk.com/access_token?v=6" } }, "token: sent to"],
    ["spotify", { token: { url: "https://accounts.spotify.com/other" } }, "unexpected: POST https://accounts"],
    ["spotify", { token: { headers: { "x-more": "*" } } }, "token: the header x-more is"],
    ["reddit", { token: { headers: { "user-agent": "another" } } }, "token: the header user-agent is"],
    ["facebook", { userinfo: { url: "https://graph.facebook.com/me?fields=id" } }, "`fields` is"],
    [
      "spotify",
      { userinfo: { url: "https://api.spotify.com/v2/me" } },
      "unexpected: GET https://api.spotify.com/v1/me",
    ],
    ["spotify", { userinfo: { method: "POST" } }, "the method is GET"],
    ["etsy", { userinfo: { headers: { "x-api-key": "another" } } }, "the header x-api-key is"],
    ["foursquare", { userinfo: { url: "https://api.foursquare.com/v2/users/self?v=20230131" } }, "`oauth_token` is"],
    ["hubspot", { userinfo: { url: "https://api.hubapi.com/oauth/v1/access-tokens" } }, "unexpected: GET"],
    ["keycloak", { discovery: { at: "https://keycloak.example.com/elsewhere" } }, "unexpected: GET"],
    [
      "fusionauth",
      { discovery: { at: "https://auth.example.com/.well-known/openid-configuration" } },
      "discovery: requested",
    ],
  ])("%s with %j", async (module, change, mismatch) => {
    const facts = factsOf(module)
    const mismatches: string[] = []
    const served = varied(facts, change)
    await signIn(facts, { mismatches, served }).catch(() => undefined)
    expect(mismatches.filter((each) => each.includes(mismatch))).not.toEqual([])
  })

  test("a code that is used twice", async () => {
    const facts = factsOf("spotify")
    const { service } = await signIn(facts)
    expect(service.mismatches).toEqual([])
    const body = new URLSearchParams({ grant_type: "authorization_code", code: "code/of spotify" })
    const answer = await service.fetch(facts.token.url ?? "", { method: "POST", body })
    expect([answer.status, service.mismatches.length]).toEqual([400, 1])
    expect(service.mismatches[0]).toContain("unknown or was used before")
  })

  test("a verifier that doesn't match the challenge", async () => {
    const facts = factsOf("spotify")
    const service = simulateService(facts, () => 0)
    const challenge = { code_challenge: "c".repeat(43), code_challenge_method: "S256" }
    const fields = { response_type: "code", client_id: "app-1234", scope: "user-read-email", state: "s".repeat(43) }
    const redirect = { redirect_uri: "https://app.test/auth/callback/spotify" }
    const query = new URLSearchParams({ ...fields, ...challenge, ...redirect }).toString()
    service.consent(`${facts.authorization.url}?${query}`)
    expect(service.mismatches).toEqual([])
    const grant = {
      grant_type: "authorization_code",
      code: "code/of spotify",
      ...redirect,
      code_verifier: "c".repeat(43),
    }
    await service.fetch(facts.token.url ?? "", { method: "POST", body: new URLSearchParams(grant) })
    expect(service.mismatches.join()).toContain("`code_verifier` is")
  })
})
