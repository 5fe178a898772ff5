/**
 * Prefixes of the keys. The defaults are those of `@auth/upstash-redis-adapter`, so that an application that stored users
 * with it needs no migration. If you changed them there, pass the same values here.
 */
export interface RedisLayoutOptions {
  /** In front of every other prefix. @default "" */
  readonly baseKeyPrefix?: string
  /** @default "user:account:" */
  readonly accountKeyPrefix?: string
  /** @default "user:account:by-user-id:" */
  readonly accountByUserIdPrefix?: string
  /** @default "user:email:" */
  readonly emailKeyPrefix?: string
  /** @default "user:session:" */
  readonly sessionKeyPrefix?: string
  /** @default "user:session:by-user-id:" */
  readonly sessionByUserIdKeyPrefix?: string
  /** @default "user:" */
  readonly userKeyPrefix?: string
  /** @default "user:token:" */
  readonly verificationTokenKeyPrefix?: string
}

/** Names of the keys. Two records may share a name, so the reader of a record compares its fields. */
export interface Layout {
  user(id: string): string
  email(email: string): string
  account(key: AccountKey): string
  /** The key of the latest account of a user. `@auth/upstash-redis-adapter` needs it to delete a user. */
  latestAccount(userId: string): string
  session(token: string): string
  /** The key of the latest session of a user, for the same reason. */
  latestSession(userId: string): string
  token(identifier: string, token: string): string
  authenticator(credentialID: string): string
  /** An index of everything of one kind that belongs to a user or, for tokens, to an identifier. */
  index(kind: "accounts" | "authenticators" | "sessions" | "tokens", owner: string): string
  /** Starts with this. */
  readonly rateLimits: string
  /** Starts with this. The hash tag puts all of them in one slot of a cluster. */
  readonly records: string
  readonly sessionPrefix: string
  readonly accountPrefix: string
}

interface AccountKey {
  readonly provider: string
  readonly providerAccountId: string
}

export function layoutOf(options: RedisLayoutOptions = {}): Layout {
  const base = options.baseKeyPrefix ?? ""
  const under = (prefix: string) => (rest: string) => base + prefix + rest
  const account = under(options.accountKeyPrefix ?? "user:account:")
  const session = under(options.sessionKeyPrefix ?? "user:session:")
  const token = under(options.verificationTokenKeyPrefix ?? "user:token:")
  return {
    user: under(options.userKeyPrefix ?? "user:"),
    email: under(options.emailKeyPrefix ?? "user:email:"),
    account: ({ provider, providerAccountId }) => account(`${provider}:${providerAccountId}`),
    latestAccount: under(options.accountByUserIdPrefix ?? "user:account:by-user-id:"),
    session,
    latestSession: under(options.sessionByUserIdKeyPrefix ?? "user:session:by-user-id:"),
    token: (identifier, value) => token(`${identifier}:${value}`),
    authenticator: under("latchkey:authenticator:"),
    index: (kind, owner) => `${base}latchkey:${kind}:${owner}`,
    rateLimits: `${base}latchkey:limit:`,
    records: `${base}{latchkey:records}:`,
    sessionPrefix: session(""),
    accountPrefix: account(""),
  }
}
