import { expect, test } from "vitest"
import { minutes, type VaultSite, vaultSite } from "./setup.js"

/** Connects the account as the page does that `token` names. */
async function consent({ browser, op, token }: VaultSite, scopes: readonly string[]): Promise<void> {
  const problem = await token({ scopes })
  if (problem.problem !== "needs-consent") throw new Error("The token has the scopes already")
  await browser.get(problem.url)
  await browser.submitForm("signin/op")
  await browser.consentAt(op, { as: "ada" })
}

test("scopes are added on the account page, and the provider is asked for all of them", async () => {
  const its = await vaultSite()
  await its.signIn()
  await consent(its, ["calendar"])
  const scopes = ["openid", "profile", "email", "calendar"]
  expect(its.op.authorizations.at(-1)).toMatchObject({ scope: scopes.join(" "), prompt: "consent" })
  expect(await its.token({ scopes: ["calendar"] })).toMatchObject({ scopes })
  expect(its.store.rows().accounts).toHaveLength(1)
})

test("a later sign-in with fewer scopes doesn't downgrade", async () => {
  const its = await vaultSite()
  await its.signIn()
  await consent(its, ["calendar"])
  const before = await its.token()
  await its.signIn("ada", its.browser.fresh())
  expect(await its.token({ scopes: ["calendar"] })).toEqual(before)
  its.clock.advance(minutes(60))
  expect(await its.token({ scopes: ["calendar"] })).toMatchObject({ account: "ada" })
})

test("… unless the former token doesn't work anymore", async () => {
  const its = await vaultSite()
  await its.signIn()
  await consent(its, ["calendar"])
  its.answers.token = () => Response.json({ error: "invalid_grant" }, { status: 400 })
  its.clock.advance(minutes(60))
  expect(await its.token()).toMatchObject({ problem: "needs-consent" })
  await its.signIn("ada", its.browser.fresh())
  expect(await its.token()).toMatchObject({ scopes: ["openid", "profile", "email"] })
})

test("a refresh that grants less is believed", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.respond((answer) => ({ ...answer, body: { ...answer.body, scope: "openid" } }))
  its.clock.advance(minutes(60))
  expect(await its.token()).toMatchObject({ scopes: ["openid"] })
  expect(await its.token({ scopes: ["email"] })).toMatchObject({ problem: "needs-consent" })
})

test("a response without scopes granted what was asked for", async () => {
  const its = await vaultSite({ provider: { authorization: { params: { scope: "openid files,mail" } } } })
  its.respond((answer) => ({ ...answer, body: { ...answer.body, scope: undefined } }))
  await its.signIn()
  expect(await its.token()).toMatchObject({ scopes: ["openid", "files", "mail"] })
})

test("what asks for a refresh token is added to the provider's own parameters, and only with `tokens: vault`", async () => {
  const provider = {
    tokens: { params: { access_type: "offline" }, scope: "offline_access" },
    authorization: { params: { scope: "openid email" } },
  }
  const its = await vaultSite({ provider })
  await its.signIn()
  expect(its.op.authorizations.at(-1)).toMatchObject({ access_type: "offline", scope: "openid email offline_access" })
  const without = await vaultSite({ provider, tokens: undefined })
  await without.signIn()
  expect(without.op.authorizations.at(-1)).toMatchObject({ scope: "openid email" })
  expect(without.op.authorizations.at(-1)).not.toHaveProperty("access_type")
})

test.each([
  ["openid files,mail", "openid files,mail calendar"],
  ["openid,mail", "openid,mail,calendar"],
  ["openid calendar", "openid calendar"],
])("added to the scope %j of the application, the request has %j", async (scope, expected) => {
  const its = await vaultSite({ provider: { authorization: { params: { scope } } } })
  const ask = async (fields: Record<string, string>) => {
    await its.browser.post("/auth/signin/op?scope=calendar", { csrfToken: (await its.browser.csrf()) ?? "", ...fields })
    return new URL(its.browser.location).searchParams.get("scope")
  }
  expect(await ask({ link: "true" })).toBe(expected)
  // The sign-in page doesn't add to what the application configured.
  expect(await ask({})).toBe(scope)
})

test("several accounts at one provider: the last one by default, each by its id", async () => {
  const its = await vaultSite({ security: { linking: "same-session" } })
  await its.signIn()
  its.clock.advance({ seconds: 5 })
  await its.signIn("grace")
  expect(await its.token()).toMatchObject({ account: "grace" })
  expect(await its.token({ account: "ada" })).toMatchObject({ account: "ada" })
  its.clock.advance(minutes(60))
  expect(await its.token({ account: "ada" })).toMatchObject({ account: "ada" })
  expect(await its.token()).toMatchObject({ account: "grace" })
})
