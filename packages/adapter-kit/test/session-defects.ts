import type { AdapterSession, VerificationToken } from "@latchkey/core/adapters"
import { ClassAdapter } from "./class-adapter.js"
import { type Defect, over } from "./defect.js"

export const sessionDefects: readonly Defect[] = [
  {
    what: "a session's expiry is a string",
    make: over((good) => ({
      getSessionAndUser: async (token) => JSON.parse(JSON.stringify(await good.getSessionAndUser(token))),
    })),
    breaks: [
      "sessions.create",
      "sessions.update",
      "sessions.delete",
      "sessions.expired",
      "deleteSessions",
      "describeSession",
      "sessions.dates",
      "sessions.exact",
      "sessions.unique",
      "tokens.long",
    ],
  },
  {
    what: "session tokens are compared without case",
    make: () =>
      new (class extends ClassAdapter {
        override sessionOf(token: string) {
          return this.sessions.find((row) => row.sessionToken.toLowerCase() === token.toLowerCase())
        }
      })(),
    breaks: ["sessions.unknown", "sessions.exact"],
  },
  {
    what: "deleteSession deletes all sessions of the user",
    make: over((good) => ({
      deleteSession: async (token) => {
        const found = await good.getSessionAndUser(token)
        await good.deleteSessions(found?.user.id ?? "")
      },
    })),
    breaks: ["sessions.delete"],
  },
  {
    what: "updateSession creates a missing session",
    make: over((good) => ({
      updateSession: async (changes: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">) => {
        const { userId, expires, sessionToken } = changes
        const updated = await good.updateSession(changes)
        return updated ?? (userId && expires ? good.createSession({ sessionToken, userId, expires }) : null)
      },
    })),
    breaks: ["sessions.ended"],
  },
]

export const tokenDefects: readonly Defect[] = [
  {
    what: "a token is read, then deleted",
    make: over((good) => ({
      useVerificationToken: async (key) => {
        const row = good.rows().verificationTokens.find(({ token }) => token === key.token)
        await Promise.resolve()
        await good.useVerificationToken(key)
        return row?.identifier === key.identifier ? row : null
      },
    })),
    breaks: ["tokens.race", "tokens.collation"],
  },
  {
    what: "a token is never deleted",
    make: over((good) => ({
      useVerificationToken: async ({ identifier, token }) =>
        good.rows().verificationTokens.find((row) => row.identifier === identifier && row.token === token) ?? null,
    })),
    breaks: ["tokens.use", "tokens.race", "getVerificationToken"],
  },
  {
    what: "the identifier is ignored",
    make: () =>
      new (class extends ClassAdapter {
        override matches(row: VerificationToken, key: { token: string }) {
          return row.token === key.token
        }
      })(),
    breaks: ["tokens.identifier", "tokens.collation", "tokens.long"],
  },
  {
    what: "a failed use consumes the token",
    make: () =>
      new (class extends ClassAdapter {
        override async useVerificationToken(key: { identifier: string; token: string }) {
          const used = await super.useVerificationToken(key)
          this.tokens = this.tokens.filter((row) => row.token !== key.token)
          return used
        }
      })(),
    breaks: ["tokens.identifier", "tokens.collation", "tokens.long"],
  },
  {
    what: "the identifier is the only key",
    make: () =>
      new (class extends ClassAdapter {
        override matches(row: VerificationToken, key: { identifier: string }) {
          return row.identifier === key.identifier
        }
      })(),
    breaks: ["tokens.identifier", "tokens.token", "tokens.collation"],
  },
  {
    what: "a new token replaces the others of its identifier",
    make: over((good) => ({
      createVerificationToken: async (token) => {
        await good.deleteVerificationTokens(token.identifier)
        return good.createVerificationToken(token)
      },
    })),
    breaks: ["tokens.several"],
  },
  {
    what: "an expired token is renewed",
    make: over((good) => ({
      useVerificationToken: async (key) => {
        const row = await good.useVerificationToken(key)
        const shift = row && row.expires.getUTCFullYear() < 2020 ? 100 : 0
        row?.expires.setUTCFullYear(row.expires.getUTCFullYear() + shift)
        return row
      },
    })),
    breaks: ["tokens.expired"],
  },
]
