import type { VerificationToken } from "@latchkey/core/adapters"
import { type ConformanceCase, defineCase, type Surroundings } from "./case.js"
import { expectExactly, expectFields, expectNull, expectOneWinner } from "./check.js"
import { instant, tokenKey, unique } from "./fixtures.js"

const part = "basic"

export const tokens: readonly ConformanceCase[] = [
  defineCase(
    { id: "tokens.use", name: "a token can be used once", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const token = aToken(options)
      const created = await adapter.createVerificationToken(token)
      if (created) expectExactly("createVerificationToken returns what is stored", created, token)
      expectExactly(
        "useVerificationToken returns the record",
        await adapter.useVerificationToken(tokenKey(token)),
        token,
      )
      expectNull("useVerificationToken of a used token", await adapter.useVerificationToken(tokenKey(token)))
    },
  ),
  defineCase(
    { id: "tokens.identifier", name: "a token with another identifier is neither accepted nor consumed", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const [token, victim] = [aToken(options), aToken(options)]
      await adapter.createVerificationToken(token)
      await adapter.createVerificationToken(victim)
      const { identifier } = victim
      const stolen = await adapter.useVerificationToken({ identifier, token: token.token })
      expectNull("useVerificationToken with another user's identifier", stolen)
      const uppercase = await adapter.useVerificationToken({
        ...tokenKey(token),
        identifier: token.identifier.toUpperCase(),
      })
      expectNull("useVerificationToken compares identifiers exactly, so in uppercase it", uppercase)
      for (const row of [token, victim]) {
        expectFields(
          "useVerificationToken keeps the token after a failed attempt",
          await adapter.useVerificationToken(tokenKey(row)),
          row,
        )
      }
    },
  ),
  defineCase(
    { id: "tokens.token", name: "an identifier with a wrong token is rejected and consumes no token", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const token = { ...aToken(options), token: `a${unique()}` }
      await adapter.createVerificationToken(token)
      for (const wrong of ["", unique(), token.token.toUpperCase(), `${token.token} `, token.token.slice(0, -1)]) {
        const got = await adapter.useVerificationToken({ identifier: token.identifier, token: wrong })
        expectNull(`useVerificationToken compares tokens exactly, so with ${JSON.stringify(wrong)} it`, got)
      }
      expectFields(
        "useVerificationToken keeps the token after a failed attempt",
        await adapter.useVerificationToken(tokenKey(token)),
        token,
      )
    },
  ),
  defineCase(
    { id: "tokens.several", name: "each token of an identifier can be used", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const first = aToken(options)
      const second = { ...first, token: unique() }
      await adapter.createVerificationToken(first)
      await adapter.createVerificationToken(second)
      expectFields(
        "useVerificationToken returns the first token of the identifier",
        await adapter.useVerificationToken(tokenKey(first)),
        first,
      )
      expectFields(
        "useVerificationToken consumes only that token",
        await adapter.useVerificationToken(tokenKey(second)),
        second,
      )
    },
  ),
  defineCase(
    { id: "tokens.race", name: "of 20 parallel uses of one token exactly one succeeds", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const token = aToken(options)
      await adapter.createVerificationToken(token)
      const attempts = Array.from({ length: 20 }, () => () => adapter.useVerificationToken(tokenKey(token)))
      const used = await expectOneWinner(
        "useVerificationToken deletes and returns in one step",
        attempts,
        (result) => result !== null,
      )
      expectFields("The successful call returns the record", used, token)
      expectNull("useVerificationToken after the parallel calls", await adapter.useVerificationToken(tokenKey(token)))
    },
  ),
  defineCase(
    { id: "tokens.expired", name: "an expired token is returned with its expiry, or not at all", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const token = { ...aToken(options), expires: instant(options, 2001) }
      await adapter.createVerificationToken(token)
      const used = await adapter.useVerificationToken(tokenKey(token))
      if (used !== null) expectFields("useVerificationToken returns the expiry of an expired token", used, token)
    },
  ),
]

function aToken(options: Surroundings): VerificationToken {
  return { identifier: `ada.${unique()}@example.com`, token: unique(), expires: instant(options) }
}
