import { createProvider, type FakeProvider } from "@latchkey/testing"
import Credentials from "@latchkey/core/providers/credentials"
import type { OAuth2Config, RawProfile, TokenSet } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { open, outcome } from "../flows/oauth/app.js"
import { allFacts, cases } from "../providers/facts.js"
import { signIn } from "../providers/sign-in.js"

/** Two users whose ids become one as numbers of JavaScript. */
const [victim, attacker] = ["9007199254740992", "9007199254740993"]

/** The provider answers with this JSON, as text. */
const json = (text: string) => () => new Response(text, { headers: { "content-type": "application/json" } })
const withId = (id: string) => json(`{"id":${id},"name":"Ada","user":{"id":${id}},"text":"\\"id\\":9007199254740993"}`)

/** A value that JSON has exactly like this. TypeScript's library doesn't have `JSON.rawJSON` yet. */
const rawNumber = (text: string): unknown => Reflect.apply(Reflect.get(JSON, "rawJSON"), JSON, [text])

type Given = Partial<OAuth2Config>

async function accountsOf(mode: Mode, given: (op: FakeProvider) => Given, ids: readonly string[]) {
  const op = createProvider()
  const { browser, adapter, log } = await open([{ ...op.oauthProvider(), ...given(op) }], { security: mode })
  const ends: string[] = []
  for (const id of ids) {
    const undo = op.inject({ userinfo: withId(id) })
    const visitor = browser.fresh()
    await visitor.signInWith(op, { as: "ada" })
    ends.push(outcome(visitor))
    undo()
  }
  const { users, accounts } = adapter.rows()
  return { ends, ids: accounts.map(({ providerAccountId }) => providerAccountId), users: users.length, log }
}

const userOf = (raw: RawProfile) => raw["user"] as { readonly id: never }

const exact: readonly (readonly [string, Given["profile"]])[] = [
  ["as it is", (raw: RawProfile) => ({ id: raw["id"] as string })],
  ["as text", ({ id }: RawProfile) => ({ id: String(id) })],
  ["of an object in the profile", (raw: RawProfile) => ({ id: userOf(raw).id })],
  ["with a prefix", ({ id }: RawProfile) => ({ id: `acme-${String(id)}` })],
]

attack("OIDX-06", "two users whose numeric ids are rounded to the same number have two accounts", async (mode) => {
  for (const [how, profile] of exact) {
    const { ends, ids, users } = await accountsOf(mode, () => (profile === undefined ? {} : { profile }), [
      victim,
      attacker,
    ])
    expect([how, ends, users]).toEqual([how, ["home", "home"], 2])
    expect(new Set(ids).size).toBe(2)
    expect(ids.every((id, index) => id.endsWith([victim, attacker][index] ?? "?"))).toBe(true)
  }
})

/** Code of the application that rounds. */
const rounding: readonly (readonly [string, (op: FakeProvider) => Given])[] = [
  ["profile() converts to a number", () => ({ profile: ({ id }: RawProfile) => ({ id: Number(id) as never }) })],
  [
    "userinfo.request parses",
    (op) => ({
      userinfo: {
        request: async ({ tokens }) => {
          const headers = { authorization: `Bearer ${tokens.access_token}` }
          const response = await op.fetch("https://op.test/userinfo", { headers })
          return JSON.parse(await response.text()) as unknown
        },
      },
      profile: (raw: RawProfile) => ({ id: String(userOf(raw).id) }),
    }),
  ],
  [
    "token.request parses",
    () => ({
      token: {
        request: async () => ({
          tokens: { access_token: "x", token_type: "bearer", account: Number(victim) },
        }),
      },
      userinfo: { request: () => ({ name: "Ada" }) },
      profile: (_: RawProfile, tokens: TokenSet) => ({ id: String(tokens["account"]) }),
    }),
  ],
  [
    "token.conform parses",
    () => ({
      token: {
        url: "https://op.test/token",
        conform: async (response: Response) => {
          const tokens = JSON.parse(await response.text()) as object
          return new Response(JSON.stringify({ ...tokens, account: Number(attacker) }))
        },
      },
      profile: (_: RawProfile, tokens: TokenSet) => ({ id: String(tokens["account"]) }),
    }),
  ],
]

attack(
  "OIDX-06",
  "an id that code of the application rounded is refused, and the log names its field",
  async (mode) => {
    for (const [how, given] of rounding) {
      const { ends, ids, users, log } = await accountsOf(mode, given, [victim, attacker])
      expect([how, ends, ids, users]).toEqual([how, ["OAuthCallbackError", "OAuthCallbackError"], [], 0])
      const errors = log.entries.filter(({ level }) => level === "error").map(({ message }) => message)
      expect(errors).toHaveLength(2)
      for (const error of errors) expect(error).toMatch(/rounds \(`(?:id|profile(?:\.user)?\.id|tokens\.account)`\)/)
    }
  },
)

const texts = ["", " ", "\u00A0\u2003", "undefined", "null", "NaN", "Infinity", "[object Object]", "1e+21", "1.5e-7"]
const others = [
  1e21,
  2 ** 53,
  -(2 ** 53),
  1.5,
  0.1,
  Number.NaN,
  Infinity,
  -Infinity,
  -0,
  true,
  false,
  {},
  [],
  ["1"],
  null,
]
const literals = '1e21|1e400|9007199254740993.0|90071992547409930e-1|-0|1.5|null|""|" "|true|{}|[1]|{"a":1}'.split("|")

attack("OIDX-06", "an id that can't name one user is refused", async (mode) => {
  for (const id of [...texts, ...others]) {
    const { ends, users } = await accountsOf(mode, () => ({ profile: () => ({ id: id as never }) }), ["1"])
    expect([id, ends, users]).toEqual([id, ["OAuthCallbackError"], 0])
  }
  for (const literal of literals) {
    const own = { profile: (raw: RawProfile) => ({ id: raw["id"] as string }) }
    const { ends, users } = await accountsOf(mode, () => own, [literal])
    expect([literal, ends, users]).toEqual([literal, ["OAuthCallbackError"], 0])
  }
  for (const literal of literals.slice(0, 9)) {
    const text = { profile: ({ id }: RawProfile) => ({ id: String(id) }) }
    const { ends, users } = await accountsOf(mode, () => text, [literal])
    expect([literal, ends, users]).toEqual([literal, ["OAuthCallbackError"], 0])
  }
})

attack("OIDX-06", "safe numbers and exact texts stay what they are", async (mode) => {
  const kept: readonly unknown[] = [
    0,
    1,
    42,
    2 ** 53 - 1,
    -7,
    "9007199254740993",
    "0",
    "-0",
    "007",
    "1e3",
    9007199254740993n,
  ]
  for (const id of kept) {
    const { ends, ids } = await accountsOf(mode, () => ({ profile: () => ({ id: id as never }) }), ["1"])
    expect([id, ends, ids]).toEqual([id, ["home"], [typeof id === "bigint" ? String(id) : id]])
  }
})

attack("OIDX-06", "numbers in the claims of an ID token and in a token response are exact", async (mode) => {
  for (const source of ["claims", "tokens"] as const) {
    const op = createProvider({ id: "op" })
    const profile = (raw: RawProfile, tokens: TokenSet) => ({
      id: String(source === "claims" ? raw["uid"] : tokens["uid"]),
    })
    const { browser, adapter } = await open([op.provider({ profile })], { security: mode })
    for (const id of [victim, attacker]) {
      const uid = rawNumber(id)
      const undo = op.inject(
        source === "claims"
          ? { idToken: (token) => ({ ...token, claims: { ...token.claims, uid } }) }
          : { token: (answer) => ({ ...answer, body: { ...answer.body, uid } }) },
      )
      const visitor = browser.fresh()
      await visitor.signInWith(op, { as: "ada" })
      undo()
    }
    const ids = adapter.rows().accounts.map(({ providerAccountId }) => providerAccountId)
    expect([source, ids]).toEqual([source, [victim, attacker]])
  }
})

attack("OIDX-06", "authorize() doesn't return a number that JavaScript rounds", async (mode) => {
  for (const id of [Number(victim), Number(attacker), 1e21, -0]) {
    const given = Credentials({ credentials: { name: {} }, authorize: () => ({ id: id as never }) })
    const { browser, log } = await open([given], { security: mode, session: { strategy: "jwt" } })
    await browser.signIn("credentials", { name: "ada" })
    expect([id, await browser.session()]).toEqual([id, null])
    expect(log.entries.filter(({ level, text }) => level === "error" && text.includes("rounds"))).toHaveLength(1)
  }
})

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")

describe("no two users of a built-in provider become one if the service counts beyond 2^53", () => {
  test.each(allFacts.flatMap(cases))("%s", async (_, facts) => {
    const own = facts.samples[0].user.id
    const ids: unknown[] = []
    let isSent = false
    for (const id of [victim, attacker]) {
      const rewrite = (text: string) => {
        const changed = text.replaceAll(new RegExp(`(?<=[:,[]\\s*)"?${escaped(own)}"?(?=\\s*[,}\\]])`, "g"), id)
        isSent ||= changed !== text
        return changed
      }
      const { adapter } = await signIn(facts, { rewrite, mismatches: [] })
      ids.push(...adapter.rows().accounts.map(({ providerAccountId }) => providerAccountId))
    }
    // A signed ID token isn't changed. There, `sub` is a string.
    if (isSent) expect(new Set(ids.map(String)).size).toBe(ids.length)
    else expect(ids).toEqual([own, own])
  })
})
