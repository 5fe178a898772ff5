import type { Answer } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { minutes, vaultSite } from "./setup.js"

/** The ID token of a response with other claims. */
function withClaims(changes: object): (answer: Answer) => Answer {
  return ({ body, ...answer }) => {
    const [header, payload, signature] = String(body["id_token"]).split(".")
    const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString()) as object
    const changed = Buffer.from(JSON.stringify({ ...claims, ...changes })).toString("base64url")
    return { ...answer, body: { ...body, id_token: [header, changed, signature].join(".") } }
  }
}

attack("OIDC-46", "a refresh whose ID token is of another user, issuer, client or time is refused", async (mode) => {
  for (const claims of [
    { sub: "grace" },
    { iss: "https://other.test" },
    { aud: "another" },
    { azp: "another" },
    { iat: 1 },
  ]) {
    const its = await vaultSite({ mode })
    await its.signIn()
    const before = await its.token()
    its.clock.advance(minutes(60))
    const asBefore = its.respond(withClaims(claims))
    expect([claims, await its.token()]).toMatchObject([claims, { problem: "unavailable" }])
    asBefore()
    its.clock.advance(minutes(2))
    // The refresh token is kept. This provider has replaced it in the response that was refused.
    its.op.inject({ overlook: ({ reason }) => reason === "refresh-token-used" })
    const after = await its.token()
    expect([claims, after]).toMatchObject([claims, { account: "ada" }])
    expect(after).not.toEqual(before)
  }
})

attack("OIDC-46", "one with the user of the sign-in is accepted, and so is one without an ID token", async (mode) => {
  const its = await vaultSite({ mode })
  await its.signIn()
  its.clock.advance(minutes(60))
  expect(await its.token()).toMatchObject({ account: "ada" })
  its.clock.advance(minutes(60))
  its.respond(({ body, ...answer }) => ({ ...answer, body: { ...body, id_token: undefined } }))
  expect(await its.token()).toMatchObject({ account: "ada" })
  expect(its.refreshes()).toHaveLength(2)
})
