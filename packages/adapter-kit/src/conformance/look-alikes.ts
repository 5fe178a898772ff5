import { type ConformanceCase, defineCase } from "./case.js"
import { expectFields, expectNull } from "./check.js"
import { accountKey, anAccount, anAuthenticator, aUser, instant, tokenKey, unique } from "./fixtures.js"

/** Texts that a collation, a normalization or a padding rule treats as equal. All of them are different keys. */
export const lookAlikes: readonly ConformanceCase[] = [
  defineCase(
    {
      id: "users.email-collation",
      name: "emails that a collation treats as equal belong to different users",
      part: "basic",
    },
    ["createUser", "getUserByEmail"],
    async (adapter, options) => {
      for (const email of similarTexts(`mike.strasse.café.${unique()}@example.com`)) {
        const shown = JSON.stringify(email)
        const unknown = await adapter.getUserByEmail(email)
        expectNull(`getUserByEmail compares exactly, so with the unused email ${shown} it`, unknown)
        const { id } = await adapter.createUser(aUser(options, { email }))
        expectFields(`getUserByEmail returns the user with exactly ${shown}`, await adapter.getUserByEmail(email), {
          id,
        })
      }
    },
  ),
  defineCase(
    {
      id: "accounts.collation",
      name: "account ids that a collation treats as equal are different accounts",
      part: "basic",
    },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      for (const providerAccountId of similarTexts(`mike.strasse.café.${unique()}`)) {
        const shown = JSON.stringify(providerAccountId)
        const key = { provider: "acme", providerAccountId }
        const unknown = await adapter.getUserByAccount(key)
        expectNull(`getUserByAccount compares exactly, so with the unlinked id ${shown} it`, unknown)
        const { id } = await adapter.createUser(aUser(options))
        await adapter.linkAccount(anAccount(id, key))
        expectFields(`getUserByAccount returns the owner of exactly ${shown}`, await adapter.getUserByAccount(key), {
          id,
        })
      }
    },
  ),
  defineCase(
    { id: "sessions.exact", name: "a similar session token finds, changes and deletes no session", part: "basic" },
    ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const [sessionToken, ...similar] = similarTexts(`mike.strasse.café.${unique()}`)
      const session = { sessionToken, userId: user.id, expires: instant(options) }
      await adapter.createSession(session)
      for (const other of similar) {
        const found = await adapter.getSessionAndUser(other)
        expectNull(`getSessionAndUser compares exactly, so with ${JSON.stringify(other)} it`, found)
        // An adapter may reject these; they just must not touch the session.
        await Promise.allSettled([
          (async () => adapter.updateSession({ sessionToken: other, expires: instant(options, 2044) }))(),
        ])
        await Promise.allSettled([(async () => adapter.deleteSession(other))()])
      }
      const kept = await adapter.getSessionAndUser(sessionToken)
      expectFields("updateSession and deleteSession compare tokens exactly", kept?.session, session)
    },
  ),
  defineCase(
    {
      id: "tokens.collation",
      name: "identifiers and tokens that a collation treats as equal are different",
      part: "basic",
    },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const [token, ...similarTokens] = similarTexts(`mike.strasse.café.${unique()}`)
      const rows = similarTexts(`mike.strasse.café.${unique()}@example.com`).map((identifier) => ({
        identifier,
        token,
        expires: instant(options),
      }))
      for (const row of rows) await adapter.createVerificationToken(row)
      for (const other of similarTokens) {
        const used = await adapter.useVerificationToken({ identifier: rows[0]?.identifier ?? "", token: other })
        expectNull(`useVerificationToken compares tokens exactly, so with ${JSON.stringify(other)} it`, used)
      }
      for (const row of rows.toReversed()) {
        const used = await adapter.useVerificationToken(tokenKey(row))
        expectFields("useVerificationToken returns the row with exactly this identifier", used, row)
      }
    },
  ),
  defineCase(
    { id: "authenticators.exact", name: "a similar credential id finds no passkey", part: "webauthn" },
    ["createUser", "createAuthenticator", "getAuthenticator"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const passkey = anAuthenticator(user.id, { credentialID: `mi+/ss${btoa(unique())}` })
      await adapter.createAuthenticator(passkey)
      for (const other of similarIds(passkey.credentialID)) {
        const found = await adapter.getAuthenticator(other)
        expectNull(`getAuthenticator compares exactly, so with ${JSON.stringify(other)} it`, found)
      }
      const { credentialID } = passkey
      expectFields("getAuthenticator finds exactly this id", await adapter.getAuthenticator(credentialID), passkey)
    },
  ),
  defineCase(
    { id: "accounts.numbers", name: "account ids that are equal as numbers are different accounts", part: "basic" },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      for (const providerAccountId of numericIds()) {
        const account = anAccount("", { providerAccountId })
        const unknown = await adapter.getUserByAccount(accountKey(account))
        expectNull(`getUserByAccount compares ids as text, so with ${providerAccountId} it`, unknown)
        const { id } = await adapter.createUser(aUser(options))
        await adapter.linkAccount({ ...account, userId: id })
        const owner = await adapter.getUserByAccount(accountKey(account))
        expectFields(`getUserByAccount returns the owner of ${providerAccountId}`, owner, { id })
      }
    },
  ),
]

/** Unused 64-bit numbers, which a `number` can't distinguish, and other ways to write the first one. */
export function numericIds(): string[] {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  const id = 9_000_000_000_000_000_000n + (random % 10n ** 17n)
  return [`${id}`, `${id + 1n}`, `0${id}`, `+${id}`, `${id}.0`, `${id}e0`, `0x${id.toString(16)}`]
}

/** The text, and texts that differ in case, accents, width, normalization, ignorable characters or trailing space. */
export function similarTexts(text: string): [string, ...string[]] {
  const decomposed = text.normalize("NFD")
  const swaps = [
    ["ss", "ß"],
    ["ss", "ſs"],
    ["i", "ı"],
    ["i", "İ"],
    ["m", "M"],
    ["m", "ｍ"],
    ["é", "e"],
    ["é", "É"],
    [".", ".\u200b"],
  ] as const
  return [text, decomposed, ...swaps.map(([from, to]) => text.replace(from, to)), `${text} `]
}

function similarIds(id: string): string[] {
  const swaps = [
    ["m", "M"],
    ["i", "ı"],
    ["ss", "ß"],
    ["m", "ｍ"],
    ["+", "-"],
    ["+", " "],
    ["/", "_"],
  ] as const
  return [
    ...swaps.map(([from, to]) => id.replace(from, to)),
    `${id} `,
    `${id}=`,
    id.replaceAll("=", ""),
    id.slice(0, -4),
  ]
}
