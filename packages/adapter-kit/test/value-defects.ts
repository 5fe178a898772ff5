import { UniqueViolation } from "@latchkey/adapter-kit"
import type { AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from "@latchkey/core/adapters"
import { ClassAdapter } from "./class-adapter.js"
import { type Defect, over } from "./defect.js"

export const valueDefects: readonly Defect[] = [
  {
    what: "characters of four bytes become question marks",
    make: over((good) => ({
      createUser: async (user) => good.createUser({ ...user, name: user.name?.replace(/\p{Emoji}/gu, "?") ?? null }),
    })),
    breaks: ["users.text"],
  },
  {
    what: "a missing name becomes text",
    make: over((good) => ({ createUser: async (user) => good.createUser({ ...user, name: String(user.name) }) })),
    breaks: ["users.sparse"],
  },
  {
    what: "an undefined field clears the stored value",
    make: over((good) => ({
      updateUser: async (user) => good.updateUser("name" in user ? { ...user, name: user.name ?? null } : user),
    })),
    breaks: ["users.undefined"],
  },
  {
    what: "user ids are compared as numbers",
    make: () =>
      new (class extends ClassAdapter {
        override async createUser(user: AdapterUser) {
          const { id } = await super.createUser(user)
          const row = this.users.find((each) => each.id === id)
          return structuredClone(Object.assign(row ?? user, { id: user.id }))
        }
        override async getUser(id: string) {
          const same = (user: AdapterUser) => user.id === id || Number(user.id) === Number(id)
          return structuredClone(this.users.find(same) ?? null)
        }
      })(),
    breaks: ["users.ids"],
  },
  {
    what: "account ids are compared as numbers",
    make: () =>
      new (class extends ClassAdapter {
        override accountOf({
          provider,
          providerAccountId: id,
        }: Pick<AdapterAccount, "provider" | "providerAccountId">) {
          const same = (row: AdapterAccount) =>
            row.providerAccountId === id || Number(row.providerAccountId) === Number(id)
          return this.accounts.find((row) => row.provider === provider && same(row))
        }
      })(),
    breaks: ["accounts.numbers"],
  },
  {
    what: "expires_at is text",
    make: over((good) => ({
      getAccount: async (id, provider) => {
        const row = await good.getAccount(id, provider)
        return row && Object.assign(row, { expires_at: String(row.expires_at) })
      },
    })),
    breaks: ["accounts.types", "authenticators.account"],
  },
  {
    what: "missing transports are an empty text",
    make: over((good) => ({
      getAuthenticator: async (id) => {
        const row = await good.getAuthenticator(id)
        return row && { ...row, transports: row.transports ?? "" }
      },
    })),
    breaks: ["authenticators.sparse"],
  },
]

export const limitDefects: readonly Defect[] = [
  {
    what: "a date is stored as the wall clock of Berlin",
    make: over((good) => ({
      updateUser: async ({ emailVerified, ...user }) =>
        good.updateUser(emailVerified ? { ...user, emailVerified: wallClock(emailVerified) } : user),
    })),
    breaks: ["users.dates"],
  },
  {
    what: "the expiry of a session is 32-bit seconds",
    make: over((good) => ({
      updateSession: async (session: Partial<AdapterSession> & { sessionToken: string }) =>
        good.updateSession(session.expires ? { ...session, expires: before2038(session.expires) } : session),
    })),
    breaks: ["sessions.dates"],
  },
  {
    what: "the expiry of a token is 32-bit seconds",
    make: over((good) => ({
      createVerificationToken: async (row) =>
        good.createVerificationToken({ ...row, expires: before2038(row.expires) }),
    })),
    breaks: ["tokens.dates"],
  },
  {
    what: "account ids are cut off",
    make: () =>
      new (class extends ClassAdapter {
        override accountOf(key: Pick<AdapterAccount, "provider" | "providerAccountId">) {
          const same = (row: AdapterAccount) => cut(row.providerAccountId) === cut(key.providerAccountId)
          return this.accounts.find((row) => row.provider === key.provider && same(row))
        }
      })(),
    breaks: ["accounts.long"],
  },
  {
    what: "identifiers are cut off",
    make: () =>
      new (class extends ClassAdapter {
        override matches(row: VerificationToken, key: { identifier: string; token: string }) {
          return cut(row.identifier) === cut(key.identifier) && row.token === key.token
        }
      })(),
    breaks: ["tokens.long"],
  },
  {
    what: "credential ids are cut off",
    make: () =>
      new (class extends ClassAdapter {
        override passkeyOf(credentialID: string) {
          return this.authenticators.find((row) => cut(row.credentialID) === cut(credentialID))
        }
      })(),
    breaks: ["authenticators.limits"],
  },
]

export const absenceDefects: readonly Defect[] = [
  {
    what: "an id in another format is an error",
    make: over((good) => ({
      getUser: async (id) => {
        if (!/^[\da-f-]{36}$/.test(id)) throw new Error("invalid input syntax for type uuid")
        return good.getUser(id)
      },
    })),
    breaks: ["users.unknown-format", "users.ids"],
  },
  {
    what: "deleting an unknown user is an error",
    make: over((good) => ({
      deleteUser: async (id) => {
        if (!(await good.deleteUser(id))) throw new Error("No such user")
      },
    })),
    breaks: ["users.delete-twice"],
  },
  {
    what: "deleteUser keeps the accounts",
    make: () =>
      new (class extends ClassAdapter {
        override async deleteUser(id: string) {
          const { accounts } = this
          await super.deleteUser(id)
          this.accounts = accounts
        }
      })(),
    breaks: ["users.delete-reuse"],
  },
  {
    what: "unlinking an unknown account is an error",
    make: over((good) => ({
      unlinkAccount: async (key) => {
        if (!(await good.unlinkAccount(key))) throw new Error("No such account")
      },
    })),
    breaks: ["accounts.unlink-twice"],
  },
  {
    what: "deleting an unknown session is an error",
    make: over((good) => ({
      deleteSession: async (token) => {
        if (!(await good.deleteSession(token))) throw new Error("No such session")
      },
    })),
    breaks: ["sessions.delete-twice"],
  },
  {
    what: "createSession replaces a session",
    make: over((good) => ({
      createSession: async (session) => {
        await good.deleteSession(session.sessionToken)
        return good.createSession(session)
      },
    })),
    breaks: ["sessions.unique"],
  },
  {
    what: "deleteUser doesn't free the passkeys",
    make: over((good) => {
      const taken = new Set<string>()
      return {
        createAuthenticator: async (passkey) => {
          if (taken.has(passkey.credentialID)) throw new UniqueViolation("The passkey is taken")
          taken.add(passkey.credentialID)
          return good.createAuthenticator(passkey)
        },
      }
    }),
    breaks: ["authenticators.reuse"],
  },
]

function cut(text: string): string {
  return text.slice(0, 191)
}

function before2038(date: Date): Date {
  return new Date(Math.min(date.getTime(), 2 ** 31 * 1000 - 1))
}

/** In Berlin, the hour from 2:00 to 3:00 happens twice on this day. */
function wallClock(date: Date): Date {
  const [first, second] = ["2031-10-26T00:", "2031-10-26T01:"] as const
  return new Date(date.toISOString().replace(second, first))
}
