import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "@latchkey/core/adapters"

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">
type TokenKey = Pick<VerificationToken, "identifier" | "token">

/**
 * Unlike the memory adapter, a class with methods that use `this`. It generates its own ids and has no optional methods. Its
 * subclasses have one defect each.
 */
export class ClassAdapter implements Adapter {
  users: AdapterUser[] = []
  accounts: AdapterAccount[] = []
  sessions: AdapterSession[] = []
  tokens: VerificationToken[] = []
  authenticators: AdapterAuthenticator[] = []
  #lastId = 0

  async createUser(user: AdapterUser): Promise<AdapterUser> {
    this.assertFree(user.email)
    const row = { ...structuredClone(user), id: String(++this.#lastId) }
    this.users.push(row)
    return structuredClone(row)
  }

  async getUser(id: string): Promise<AdapterUser | null> {
    return structuredClone(this.users.find((user) => user.id === id) ?? null)
  }

  async getUserByEmail(email: string): Promise<AdapterUser | null> {
    return structuredClone(this.users.find((user) => user.email === email) ?? null)
  }

  async getUserByAccount(key: AccountKey): Promise<AdapterUser | null> {
    const account = this.accountOf(key)
    return account ? this.getUser(account.userId) : null
  }

  async updateUser({ id, ...changes }: Partial<AdapterUser> & { id: string }): Promise<AdapterUser> {
    const row = this.users.find((user) => user.id === id)
    if (!row) throw new Error("No such user")
    if (changes.email !== undefined && changes.email !== row.email) this.assertFree(changes.email)
    const given = Object.entries(structuredClone(changes)).filter(([, value]) => value !== undefined)
    return structuredClone(Object.assign(row, Object.fromEntries(given)))
  }

  async deleteUser(id: string): Promise<void> {
    this.users = this.users.filter((user) => user.id !== id)
    this.accounts = this.accounts.filter((account) => account.userId !== id)
    this.sessions = this.sessions.filter((session) => session.userId !== id)
    this.authenticators = this.authenticators.filter((authenticator) => authenticator.userId !== id)
  }

  async linkAccount(account: AdapterAccount): Promise<void> {
    if (this.accountOf(account)) throw new Error("The account is linked")
    this.accounts.push(structuredClone(account))
  }

  async unlinkAccount(key: AccountKey): Promise<void> {
    this.accounts = this.accounts.filter((account) => account !== this.accountOf(key))
  }

  async createSession(session: AdapterSession): Promise<AdapterSession> {
    if (this.sessions.some((row) => row.sessionToken === session.sessionToken)) throw new Error("The token is taken")
    this.sessions.push(structuredClone(session))
    return structuredClone(session)
  }

  async getSessionAndUser(sessionToken: string): Promise<{ session: AdapterSession; user: AdapterUser } | null> {
    const session = this.sessionOf(sessionToken)
    const user = session && this.users.find(({ id }) => id === session.userId)
    return user ? structuredClone({ session, user }) : null
  }

  async updateSession(changes: Partial<AdapterSession> & { sessionToken: string }): Promise<AdapterSession | null> {
    const session = this.sessionOf(changes.sessionToken)
    return session ? structuredClone(Object.assign(session, structuredClone(changes))) : null
  }

  async deleteSession(sessionToken: string): Promise<void> {
    this.sessions = this.sessions.filter((session) => session.sessionToken !== sessionToken)
  }

  async createVerificationToken(token: VerificationToken): Promise<VerificationToken> {
    this.tokens.push(structuredClone(token))
    return structuredClone(token)
  }

  async useVerificationToken(key: TokenKey): Promise<VerificationToken | null> {
    const used = this.tokens.find((row) => this.matches(row, key)) ?? null
    this.tokens = this.tokens.filter((row) => row !== used)
    return used
  }

  async getAccount(providerAccountId: string, provider: string): Promise<AdapterAccount | null> {
    return structuredClone(this.accountOf({ provider, providerAccountId }) ?? null)
  }

  async createAuthenticator(authenticator: AdapterAuthenticator): Promise<AdapterAuthenticator> {
    if (this.passkeyOf(authenticator.credentialID)) throw new Error("The passkey is registered")
    this.authenticators.push(structuredClone(authenticator))
    return structuredClone(authenticator)
  }

  async getAuthenticator(credentialID: string): Promise<AdapterAuthenticator | null> {
    return structuredClone(this.passkeyOf(credentialID) ?? null)
  }

  async listAuthenticatorsByUserId(userId: string): Promise<AdapterAuthenticator[]> {
    return structuredClone(this.authenticators.filter((authenticator) => authenticator.userId === userId))
  }

  async updateAuthenticatorCounter(credentialID: string, counter: number): Promise<AdapterAuthenticator> {
    const row = this.passkeyOf(credentialID)
    if (!row) throw new Error("No such passkey")
    return structuredClone(Object.assign(row, { counter }))
  }

  assertFree(email: string): void {
    if (this.users.some((user) => user.email === email)) throw new Error("The email is taken")
  }

  accountOf(key: AccountKey): AdapterAccount | undefined {
    return this.accounts.find((row) => row.provider === key.provider && row.providerAccountId === key.providerAccountId)
  }

  sessionOf(sessionToken: string): AdapterSession | undefined {
    return this.sessions.find((session) => session.sessionToken === sessionToken)
  }

  passkeyOf(credentialID: string): AdapterAuthenticator | undefined {
    return this.authenticators.find((authenticator) => authenticator.credentialID === credentialID)
  }

  matches(row: VerificationToken, key: TokenKey): boolean {
    return row.identifier === key.identifier && row.token === key.token
  }
}
