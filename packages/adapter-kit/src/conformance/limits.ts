import { type ConformanceCase, defineCase, type Surroundings } from "./case.js"
import { expectFields, expectNull } from "./check.js"
import { accountKey, anAccount, anAuthenticator, aUser, instant, tokenKey, unique } from "./fixtures.js"
import { readAccount } from "./values.js"

/** Dates and lengths at the edges of what columns store. */
export const limits: readonly ConformanceCase[] = [
  defineCase(
    { id: "users.dates", name: "dates are stored to the instant, in every time zone and century", part: "basic" },
    ["createUser", "getUser", "updateUser"],
    async (adapter, options) => {
      const { id } = await adapter.createUser(aUser(options))
      for (const emailVerified of [
        new Date("1901-12-13T20:45:51Z"),
        new Date("1969-07-20T20:17:40Z"),
        ...hardDates(options),
      ]) {
        await adapter.updateUser({ id, emailVerified })
        expectFields("getUser returns the stored date", await adapter.getUser(id), { emailVerified })
      }
    },
  ),
  defineCase(
    {
      id: "sessions.dates",
      name: "the expiry of a session is stored to the instant, in every time zone",
      part: "basic",
    },
    ["createUser", "createSession", "updateSession", "getSessionAndUser"],
    async (adapter, options) => {
      const { id: userId } = await adapter.createUser(aUser(options))
      const sessionToken = unique()
      await adapter.createSession({ sessionToken, userId, expires: instant(options) })
      for (const expires of hardDates(options)) {
        await adapter.updateSession({ sessionToken, expires })
        const found = await adapter.getSessionAndUser(sessionToken)
        expectFields("getSessionAndUser returns the stored expiry", found?.session, { expires })
      }
    },
  ),
  defineCase(
    { id: "tokens.dates", name: "the expiry of a token is stored to the instant, in every time zone", part: "basic" },
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      for (const expires of hardDates(options)) {
        const token = { identifier: `${unique()}@example.com`, token: unique(), expires }
        await adapter.createVerificationToken(token)
        const used = await adapter.useVerificationToken(tokenKey(token))
        expectFields("useVerificationToken returns the stored expiry", used, { expires })
      }
    },
  ),
  defineCase(
    { id: "accounts.long", name: "an account keeps an id of 255 characters and tokens of 8 kB", part: "basic" },
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, options) => {
      const long = {
        access_token: filler(8192),
        refresh_token: filler(8192),
        id_token: filler(8192),
        scope: filler(1024),
      }
      const prefix = filler(254 - 32) + unique()
      for (const providerAccountId of [`${prefix}a`, `${prefix}b`]) {
        const { id } = await adapter.createUser(aUser(options))
        const account = anAccount(id, { ...long, providerAccountId })
        await adapter.linkAccount(account)
        expectFields(
          "getUserByAccount compares long ids to the end",
          await adapter.getUserByAccount(accountKey(account)),
          { id },
        )
        for (const stored of await readAccount(adapter, account))
          expectFields("linkAccount keeps long tokens", stored, long)
      }
    },
  ),
  defineCase(
    {
      id: "tokens.long",
      name: "a session token of 255 and an identifier of 254 characters are compared to the end",
      part: "basic",
    },
    ["createUser", "createSession", "getSessionAndUser", "createVerificationToken", "useVerificationToken"],
    async (adapter, options) => {
      const { id: userId } = await adapter.createUser(aUser(options))
      const expires = instant(options)
      const [address, prefix] = [filler(253 - 32) + unique(), filler(254 - 32) + unique()]
      const token = { identifier: `${address}a`, token: unique(), expires }
      await adapter.createVerificationToken(token)
      const other = await adapter.useVerificationToken({ ...tokenKey(token), identifier: `${address}b` })
      expectNull("useVerificationToken with another last character", other)
      expectFields("useVerificationToken returns the row", await adapter.useVerificationToken(tokenKey(token)), token)
      const session = { sessionToken: `${prefix}a`, userId, expires }
      await adapter.createSession(session)
      expectNull("getSessionAndUser with another last character", await adapter.getSessionAndUser(`${prefix}b`))
      const found = await adapter.getSessionAndUser(session.sessionToken)
      expectFields("getSessionAndUser returns the session", found?.session, session)
    },
  ),
  // The limits of WebAuthn Level 3: an id of 1023 bytes (§4), and a counter of 32 bits without a sign (§6.1).
  defineCase(
    {
      id: "authenticators.limits",
      name: "a passkey keeps an id of 1023 bytes and a counter of 32 bits",
      part: "webauthn",
    },
    ["createUser", "createAuthenticator", "getAuthenticator", "updateAuthenticatorCounter"],
    async (adapter, options) => {
      const user = await adapter.createUser(aUser(options))
      const prefix = filler(1364 - 36) + unique()
      const passkeys = ["AAA=", "AAB="].map((end) =>
        anAuthenticator(user.id, { credentialID: prefix + end, credentialPublicKey: filler(2048) }),
      )
      for (const passkey of passkeys) await adapter.createAuthenticator(passkey)
      for (const passkey of passkeys) {
        const { credentialID } = passkey
        expectFields(
          "getAuthenticator compares long ids to the end",
          await adapter.getAuthenticator(credentialID),
          passkey,
        )
        const counter = 2 ** 32 - 1
        await adapter.updateAuthenticatorCounter(credentialID, counter)
        const stored = await adapter.getAuthenticator(credentialID)
        expectFields("updateAuthenticatorCounter stores the highest counter", stored, { counter })
      }
    },
  ),
]

/** Text of different characters, so that cutting it off shows. */
function filler(length: number): string {
  return "abcdefghijklmnopqrstuvwxyz0123456789".repeat(Math.ceil(length / 36)).slice(0, length)
}

/**
 * Hours that some time zone skips or repeats, which a database or driver without time zones mixes up, and dates after the
 * ends of 32-bit counters of seconds.
 */
function hardDates({ precision }: Surroundings): Date[] {
  const berlin = ["2031-03-30T01:30:00Z", "2031-10-26T00:30:00Z", "2031-10-26T01:30:00Z"]
  const newYork = ["2031-03-09T07:30:00Z", "2031-11-02T05:30:00Z", "2031-11-02T06:30:00Z"]
  const lordHowe = ["2031-04-05T14:45:00Z", "2031-04-05T15:15:00Z", "2031-10-04T15:45:00Z"]
  const centuries = ["2038-01-19T03:14:08Z", "2106-02-07T06:28:16Z", "2199-12-31T23:59:59Z"]
  const milliseconds = precision === "milliseconds" ? 7 : 0
  return [...berlin, ...newYork, ...lordHowe, ...centuries].map((text) => new Date(Date.parse(text) + milliseconds))
}
