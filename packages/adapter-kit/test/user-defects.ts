import type { AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { ClassAdapter } from "./class-adapter.js"
import { caseInsensitive, type Defect, over } from "./defect.js"

export const userDefects: readonly Defect[] = [
  {
    what: "createUser drops a field",
    make: over((good) => ({ createUser: async (user) => good.createUser({ ...user, image: null }) })),
    breaks: ["users.create", "users.text", "users.update"],
  },
  {
    what: "an unknown user is undefined",
    make: over((good) => ({
      // @ts-expect-error This is the defect.
      getUser: async (id) => (await good.getUser(id)) ?? undefined,
    })),
    breaks: ["users.unknown", "users.delete", "users.unknown-format"],
  },
  {
    what: "updateUser clears fields that aren't given",
    make: over((good) => ({
      updateUser: async (user) => good.updateUser({ name: null, image: null, ...user }),
    })),
    breaks: ["users.update"],
  },
  {
    what: "rows are returned without copying",
    make: () =>
      new (class extends ClassAdapter {
        override async getUser(id: string) {
          return this.users.find((user) => user.id === id) ?? null
        }
        override async createUser(user: AdapterUser) {
          const { id } = await super.createUser(user)
          return (await this.getUser(id)) ?? user
        }
      })(),
    breaks: ["users.copies"],
  },
  {
    what: "emails are compared with a case-insensitive collation",
    make: () =>
      new (class extends ClassAdapter {
        override async getUserByEmail(email: string) {
          return this.users.find((user) => caseInsensitive.compare(user.email, email) === 0) ?? null
        }
      })(),
    breaks: ["users.email-exact", "users.email-collation"],
  },
  {
    what: "the unique index on emails ignores case",
    make: () =>
      new (class extends ClassAdapter {
        override assertFree(email: string) {
          if (this.users.some((user) => fold(user.email) === fold(email))) throw new Error("The email is taken")
        }
      })(),
    breaks: ["users.email-lookalike-own", "users.email-collation"],
  },
  {
    what: "emails aren't unique",
    make: () =>
      new (class extends ClassAdapter {
        override assertFree() {}
      })(),
    breaks: ["users.email-unique", "users.email-race"],
  },
  {
    what: "createUser checks first and writes later",
    make: () =>
      new (class extends ClassAdapter {
        override async createUser(user: AdapterUser) {
          this.assertFree(user.email)
          await Promise.resolve()
          const row = { ...user, id: crypto.randomUUID() }
          this.users.push(structuredClone(row))
          return row
        }
      })(),
    breaks: ["users.email-race"],
  },
  {
    what: "the old email still finds the user",
    make: () =>
      new (class extends ClassAdapter {
        index = new Map<string, string>()
        override async createUser(user: AdapterUser) {
          const created = await super.createUser(user)
          this.index.set(user.email, created.id)
          return created
        }
        override async getUserByEmail(email: string) {
          return this.getUser(this.index.get(email) ?? "")
        }
      })(),
    breaks: ["users.email-moved"],
  },
  {
    what: "deleteUser deletes only one session",
    make: () =>
      new (class extends ClassAdapter {
        override async deleteUser(id: string) {
          const [, ...remaining] = this.sessions.filter((session) => session.userId === id)
          await super.deleteUser(id)
          this.sessions.push(...remaining)
        }
        override async getSessionAndUser(sessionToken: string) {
          const session = this.sessionOf(sessionToken)
          const user = session && (this.users.find(({ id }) => id === session.userId) ?? placeholder(session.userId))
          return user ? structuredClone({ session, user }) : null
        }
      })(),
    breaks: ["users.delete"],
  },
]

export const accountDefects: readonly Defect[] = [
  {
    what: "the provider of an account is ignored",
    make: over((good) => ({
      getUserByAccount: async (key) => {
        const account = good.rows().accounts.find((row) => row.providerAccountId === key.providerAccountId)
        return account ? good.getUser(account.userId) : null
      },
    })),
    breaks: ["accounts.link", "accounts.unlink", "updateAccount"],
  },
  {
    what: "unlinkAccount ignores the provider",
    make: () =>
      new (class extends ClassAdapter {
        override async unlinkAccount(key: Pick<AdapterAccount, "providerAccountId">) {
          this.accounts = this.accounts.filter((account) => account.providerAccountId !== key.providerAccountId)
        }
      })(),
    breaks: ["accounts.unlink"],
  },
  {
    what: "account ids are compared without case",
    make: () =>
      new (class extends ClassAdapter {
        override accountOf(key: Pick<AdapterAccount, "provider" | "providerAccountId">) {
          const same = (row: AdapterAccount) =>
            caseInsensitive.compare(row.providerAccountId, key.providerAccountId) === 0
          return this.accounts.find((row) => row.provider === key.provider && same(row))
        }
      })(),
    breaks: ["accounts.case", "accounts.collation"],
  },
  {
    what: "linkAccount moves an account to another user",
    make: () =>
      new (class extends ClassAdapter {
        override async linkAccount(account: AdapterAccount) {
          this.accounts.unshift(account)
        }
        override async unlinkAccount(key: Pick<AdapterAccount, "provider" | "providerAccountId">) {
          while (this.accountOf(key)) await super.unlinkAccount(key)
        }
      })(),
    breaks: ["accounts.unique", "accounts.race"],
  },
]

function fold(email: string): string {
  return email.toLowerCase().replaceAll("ı", "i")
}

function placeholder(id: string): AdapterUser {
  return { id, email: "", emailVerified: null }
}
