import type { VerificationToken } from "@latchkey/core/adapters"
import { type ConformanceCase, promise, type Surroundings } from "./case.js"
import { equals, holds, isNull, oneWins } from "./check.js"
import { instant, tokenKey, unique } from "./fixtures.js"

const part = "basic"

export const tokens: readonly ConformanceCase[] = [
  promise(
    { id: "tokens.use", name: "a token can be used once", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, around) => {
      const token = aToken(around)
      const created = await adapter.createVerificationToken(token)
      if (created) equals("createVerificationToken returns what is stored", created, token)
      equals("useVerificationToken returns the record", await adapter.useVerificationToken(tokenKey(token)), token)
      isNull("useVerificationToken of a used token gives", await adapter.useVerificationToken(tokenKey(token)))
    },
  ),
  promise(
    { id: "tokens.identifier", name: "a token with another identifier neither succeeds nor is consumed", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, around) => {
      const [token, victim] = [aToken(around), aToken(around)]
      await adapter.createVerificationToken(token)
      await adapter.createVerificationToken(victim)
      const { identifier } = victim
      const stolen = await adapter.useVerificationToken({ identifier, token: token.token })
      isNull("useVerificationToken with somebody else's identifier gives", stolen)
      const shouted = await adapter.useVerificationToken({
        ...tokenKey(token),
        identifier: token.identifier.toUpperCase(),
      })
      isNull("useVerificationToken compares identifiers exactly: capitals give", shouted)
      for (const row of [token, victim]) {
        holds(
          "A failed use consumes nothing: the token still works",
          await adapter.useVerificationToken(tokenKey(row)),
          row,
        )
      }
    },
  ),
  promise(
    { id: "tokens.token", name: "an identifier with a wrong token neither succeeds nor consumes", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, around) => {
      const token = { ...aToken(around), token: `a${unique()}` }
      await adapter.createVerificationToken(token)
      for (const wrong of ["", unique(), token.token.toUpperCase(), `${token.token} `, token.token.slice(0, -1)]) {
        const got = await adapter.useVerificationToken({ identifier: token.identifier, token: wrong })
        isNull(`useVerificationToken compares tokens exactly: ${JSON.stringify(wrong)} gives`, got)
      }
      holds(
        "A failed use consumes nothing: the token still works",
        await adapter.useVerificationToken(tokenKey(token)),
        token,
      )
    },
  ),
  promise(
    { id: "tokens.several", name: "tokens of one identifier are used one by one", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, around) => {
      const first = aToken(around)
      const second = { ...first, token: unique() }
      await adapter.createVerificationToken(first)
      await adapter.createVerificationToken(second)
      holds(
        "useVerificationToken finds each token of an identifier",
        await adapter.useVerificationToken(tokenKey(first)),
        first,
      )
      holds(
        "useVerificationToken consumes that token only",
        await adapter.useVerificationToken(tokenKey(second)),
        second,
      )
    },
  ),
  promise(
    { id: "tokens.race", name: "of 20 parallel uses of one token exactly one succeeds", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, around) => {
      const token = aToken(around)
      await adapter.createVerificationToken(token)
      const attempts = Array.from({ length: 20 }, () => () => adapter.useVerificationToken(tokenKey(token)))
      const used = await oneWins(
        "useVerificationToken deletes and returns in one step",
        attempts,
        (result) => result !== null,
      )
      holds("The winner gets the record", used, token)
      isNull("useVerificationToken after a race gives", await adapter.useVerificationToken(tokenKey(token)))
    },
  ),
  promise(
    { id: "tokens.expired", name: "an expired token comes with its past expiry or not at all", part },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, around) => {
      const token = { ...aToken(around), expires: instant(around, 2001) }
      await adapter.createVerificationToken(token)
      const used = await adapter.useVerificationToken(tokenKey(token))
      if (used !== null) holds("useVerificationToken tells when a token expired", used, token)
    },
  ),
]

function aToken(around: Surroundings): VerificationToken {
  return { identifier: `ada.${unique()}@example.com`, token: unique(), expires: instant(around) }
}
