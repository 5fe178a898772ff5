import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { type Defect, over } from "./defect.js"

export const passkeyDefects: readonly Defect[] = [
  {
    what: "getAccount ignores the provider",
    make: over((good) => ({
      getAccount: async (id) => good.rows().accounts.find((row) => row.providerAccountId === id) ?? null,
    })),
    breaks: ["authenticators.account"],
  },
  {
    what: "a boolean is returned as a number",
    make: over((good) => ({
      // @ts-expect-error This is the defect.
      getAuthenticator: async (id) => {
        const row = await good.getAuthenticator(id)
        return row && { ...row, credentialBackedUp: Number(row.credentialBackedUp) }
      },
    })),
    breaks: [
      "authenticators.create",
      "authenticators.counter",
      "updateAuthenticator",
      "authenticators.exact",
      "authenticators.limits",
      "authenticators.reuse",
    ],
  },
  {
    what: "credential ids are compared without case",
    make: over((good) => ({
      getAuthenticator: async (id) =>
        good.rows().authenticators.find((row) => row.credentialID.toLowerCase() === id.toLowerCase()) ?? null,
    })),
    breaks: ["authenticators.case", "authenticators.exact"],
  },
  {
    what: "the passkeys of all users are listed",
    make: over((good) => ({ listAuthenticatorsByUserId: async () => [...good.rows().authenticators] })),
    breaks: ["authenticators.list", "authenticators.delete"],
  },
  {
    what: "the counter of an unknown passkey is accepted",
    make: over((good) => ({
      updateAuthenticatorCounter: async (credentialID, counter) => {
        const known = await good.getAuthenticator(credentialID)
        if (known) return good.updateAuthenticatorCounter(credentialID, counter)
        return {
          credentialID,
          counter,
          userId: "",
          providerAccountId: "",
          credentialPublicKey: "",
          credentialDeviceType: "",
          credentialBackedUp: false,
        }
      },
    })),
    breaks: ["authenticators.counter"],
  },
  {
    what: "a passkey can be registered again",
    make: over((good) => ({
      createAuthenticator: async (passkey) => {
        const known = await good.getAuthenticator(passkey.credentialID)
        return known ?? Promise.resolve(good.createAuthenticator(passkey)).catch(() => passkey)
      },
    })),
    breaks: ["authenticators.race", "uniqueCode"],
  },
  {
    what: "deleteUser keeps the passkeys",
    make: over((good) => {
      const remaining: string[] = []
      return {
        deleteUser: async (id) => {
          const passkeys = await good.listAuthenticatorsByUserId(id)
          await good.deleteUser(id)
          remaining.push(...passkeys.map((row) => row.credentialID))
        },
        getAuthenticator: async (credentialID) => {
          const found = await good.getAuthenticator(credentialID)
          const base = { userId: "", providerAccountId: "", credentialPublicKey: "", counter: 0 }
          const placeholder = { ...base, credentialID, credentialDeviceType: "", credentialBackedUp: false }
          return found ?? (remaining.includes(credentialID) ? placeholder : null)
        },
      }
    }),
    breaks: ["authenticators.delete"],
  },
]

export const capabilityDefects: readonly Defect[] = [
  {
    what: "the accounts of all users are listed",
    make: over((good) => ({ listAccounts: async () => [...good.rows().accounts] })),
    breaks: ["listAccounts", "listAccounts.deleted"],
  },
  {
    what: "updateAccount moves the account to another user",
    make: over((good) => ({
      updateAccount: async (account) => {
        await good.unlinkAccount(account)
        await good.linkAccount(account)
        return account
      },
    })),
    breaks: ["updateAccount"],
  },
  {
    what: "updateAuthenticator stores only the counter",
    make: over((good) => ({
      updateAuthenticator: async (credentialID, { counter }) => good.updateAuthenticatorCounter(credentialID, counter),
    })),
    breaks: ["updateAuthenticator"],
  },
  {
    what: "updateAuthenticator changes all passkeys of the user",
    make: over((good) => ({
      updateAuthenticator: async (credentialID, changes) => {
        const updated = await good.updateAuthenticator(credentialID, changes)
        for (const each of await good.listAuthenticatorsByUserId(updated.userId)) {
          await good.updateAuthenticator(each.credentialID, changes)
        }
        return updated
      },
    })),
    breaks: ["updateAuthenticator"],
  },
  {
    what: "deleteAuthenticator deletes all passkeys of the user",
    make: over((good) => ({
      deleteAuthenticator: async (credentialID) => {
        const known = await good.getAuthenticator(credentialID)
        for (const each of known ? await good.listAuthenticatorsByUserId(known.userId) : [])
          await good.deleteAuthenticator(each.credentialID)
      },
    })),
    breaks: ["deleteAuthenticator"],
  },
  {
    what: "describeAuthenticator replaces all details",
    make: over((good) => ({
      describeAuthenticator: async (credentialID, details) => {
        const none = { name: null, createdAt: new Date(0), lastUsedAt: new Date(0) }
        await good.describeAuthenticator(credentialID, { ...none, ...details })
      },
    })),
    breaks: ["describeAuthenticator"],
  },
  {
    what: "describeSession stores no times",
    make: over((good) => ({
      describeSession: async (sessionToken, { browser, system }) => {
        await good.describeSession(sessionToken, { browser, system })
      },
    })),
    breaks: ["describeSession"],
  },
  {
    what: "a registered passkey is rejected with an error of the driver",
    make: over((good) => ({
      createAuthenticator: async (passkey) => {
        if (await good.getAuthenticator(passkey.credentialID)) throw new Error("duplicate key value")
        return good.createAuthenticator(passkey)
      },
    })),
    breaks: ["uniqueCode"],
  },
  {
    what: "the sessions of all users are listed",
    make: over((good) => ({ listSessions: async () => [...good.rows().sessions] })),
    breaks: ["listSessions", "listSessions.deleted", "listSessions.limit"],
  },
  {
    what: "listSessions ignores its limit",
    make: over((good) => ({ listSessions: async (userId) => good.listSessions(userId) })),
    breaks: ["listSessions.limit"],
  },
  {
    what: "listSessions with a limit returns the sessions that expire first",
    make: over((good) => ({
      listSessions: async (userId, limit) => (await good.listSessions(userId)).toReversed().slice(0, limit),
    })),
    breaks: ["listSessions.limit"],
  },
  {
    what: "deleteSessions deletes only the latest session",
    make: over((good) => ({
      deleteSessions: async (userId) => {
        const latest = (await good.listSessions(userId)).at(-1)
        if (latest) await good.deleteSession(latest.sessionToken)
      },
    })),
    breaks: ["deleteSessions"],
  },
  {
    what: "reading a token uses it up",
    make: over((good) => ({ getVerificationToken: async (key) => good.useVerificationToken(key) })),
    breaks: ["getVerificationToken"],
  },
  {
    what: "deleteVerificationTokens does nothing",
    make: over(() => ({ deleteVerificationTokens: async () => {} })),
    breaks: ["deleteVerificationTokens"],
  },
  {
    what: "only known columns are stored",
    make: over((good) => ({
      createUser: async ({ id, name, email, image, emailVerified }) =>
        good.createUser({ id, email, emailVerified, name: name ?? null, image: image ?? null }),
    })),
    breaks: ["extraFields"],
  },
  {
    what: "a taken email is rejected with an error of the driver",
    make: over((good) => ({
      createUser: async (user) => {
        try {
          return await good.createUser(user)
        } catch {
          throw new Error("duplicate key value")
        }
      },
    })),
    breaks: ["uniqueCode"],
  },
]

export const transactionDefects: readonly Defect[] = [
  {
    what: "transaction only calls the callback",
    make: over((good) => ({ transaction: async (work) => work(good) })),
    breaks: ["transaction.rollback", "transaction.hidden"],
  },
  {
    what: "a transaction never commits",
    make: over((good) => ({
      transaction: async (work) => {
        const results: Awaited<ReturnType<typeof work>>[] = []
        const give = async (inside: Adapter): Promise<void> => {
          results.push(await work(inside))
          throw new Error("Lost")
        }
        await good.transaction(give).catch((error: Error) => {
          if (error.message !== "Lost") throw error
        })
        const [result] = results
        if (result === undefined) throw new Error("Lost")
        return result
      },
    })),
    breaks: ["transaction.commit", "transaction.race"],
  },
  {
    what: "a rollback also undoes other writes",
    make: () => {
      const good = memoryAdapter()
      const transaction: NonNullable<Adapter["transaction"]> = async (work) => {
        const before = new Set(good.rows().users.map((user) => user.id))
        try {
          return await good.transaction(work)
        } catch (error) {
          const later = good.rows().users.filter((user) => !before.has(user.id))
          for (const user of later) await good.deleteUser(user.id)
          throw error
        }
      }
      return { ...good, transaction }
    },
    breaks: ["transaction.beside", "transaction.race"],
  },
]
