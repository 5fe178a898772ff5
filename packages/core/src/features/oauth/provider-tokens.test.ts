import { expect, test } from "vitest"
import { compile } from "../../../test/compile.js"
import type { Account } from "../../model/user.js"
import { keepTokens, openTokens } from "./account-steps.js"

function authAt(now: () => number) {
  return compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    providers: [],
    security: { providerTokens: "sealed" },
    runtime: { now },
  })
}

const start = Date.UTC(2026, 0, 1)
const account: Account = {
  provider: "op",
  providerAccountId: "ada",
  type: "oidc",
  userId: "u1",
  access_token: "secret",
}

test("only the tokens that an account has are sealed, and its other fields stay the same", async () => {
  const auth = authAt(() => start)
  const kept = await keepTokens(auth, account)
  expect(kept).toEqual({ ...account, access_token: expect.stringMatching(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/) })
  expect(Object.keys(kept).sort()).toEqual(Object.keys(account).sort())
  expect(Object.keys(await openTokens(auth, kept)).sort()).toEqual(Object.keys(account).sort())
})

test("sealed tokens can still be opened after 99 years", async () => {
  let moment = start
  const auth = authAt(() => moment)
  const kept = await keepTokens(auth, account)
  moment += 99 * 365 * 86_400_000
  expect(await openTokens(auth, kept)).toMatchObject({ access_token: "secret" })
})

test("a token that was stored unsealed is returned unchanged, next to sealed ones", async () => {
  const auth = authAt(() => start)
  const mixed = { ...(await keepTokens(auth, account)), refresh_token: "plain" }
  expect(await openTokens(auth, mixed)).toMatchObject({ access_token: "secret", refresh_token: "plain" })
})

test("a token sealed for another purpose is returned unopened", async () => {
  const auth = authAt(() => start)
  const foreign = await auth.https.sealer.seal("", { value: "foreign" }, 60)
  expect(await openTokens(auth, { ...account, access_token: foreign })).toMatchObject({ access_token: foreign })
})
