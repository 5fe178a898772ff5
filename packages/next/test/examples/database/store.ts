import type { Adapter, AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from "next-auth/adapters"

const users = new Map<string, AdapterUser>()
const accounts: AdapterAccount[] = []
const sessions = new Map<string, AdapterSession>()
const tokens: VerificationToken[] = []

export function MemoryAdapter(): Adapter {
  return {
    async createUser(user) {
      const created = { ...user, id: crypto.randomUUID() }
      users.set(created.id, created)
      return created
    },
    async getUser(id) {
      return users.get(id) ?? null
    },
    async getUserByEmail(email) {
      return [...users.values()].find((user) => user.email === email) ?? null
    },
    async getUserByAccount({ provider, providerAccountId }) {
      const account = accounts.find((one) => one.provider === provider && one.providerAccountId === providerAccountId)
      return account ? (users.get(account.userId) ?? null) : null
    },
    async updateUser(user) {
      const updated = { ...(users.get(user.id) as AdapterUser), ...user }
      users.set(user.id, updated)
      return updated
    },
    async linkAccount(account) {
      accounts.push(account)
      return account
    },
    async createSession(session) {
      sessions.set(session.sessionToken, session)
      return session
    },
    async getSessionAndUser(sessionToken) {
      const session = sessions.get(sessionToken)
      const user = session && users.get(session.userId)
      return session && user ? { session, user } : null
    },
    async updateSession(session) {
      const updated = { ...(sessions.get(session.sessionToken) as AdapterSession), ...session }
      sessions.set(session.sessionToken, updated)
      return updated
    },
    async deleteSession(sessionToken) {
      sessions.delete(sessionToken)
    },
    async createVerificationToken(token) {
      tokens.push(token)
      return token
    },
    async useVerificationToken({ identifier, token }) {
      const index = tokens.findIndex((one) => one.identifier === identifier && one.token === token)
      return index < 0 ? null : (tokens.splice(index, 1)[0] ?? null)
    },
  }
}
