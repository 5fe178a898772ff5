import type { Recorder } from "./recorder.js"

type Row = Readonly<Record<string, unknown>>

export interface Tables {
  readonly users: Row[]
  readonly accounts: Row[]
  readonly sessions: Row[]
  readonly tokens: Row[]
  readonly authenticators: Row[]
}

/** The tables with users who have these emails. */
export function tablesWith(emails: readonly string[]): Tables {
  const users = emails.map((email, index) => ({ id: `user-${index + 1}`, name: "Stored", email, emailVerified: null }))
  return { users, accounts: [], sessions: [], tokens: [], authenticators: [] }
}

type Methods = Readonly<Record<string, (argument: Row, more?: unknown) => unknown>>

/** An adapter with exactly the methods of next-auth 5. It records its calls, and its ids are predictable. */
export function createDatabase(recorder: Recorder, tables: Tables): object {
  const methods = {
    ...userMethods(tables),
    ...sessionMethods(tables),
    ...tokenMethods(tables),
    ...passkeyMethods(tables),
  }
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, recorded(recorder, name, method)]))
}

function recorded(recorder: Recorder, name: string, method: Methods[string]) {
  return async (...args: Parameters<typeof method>): Promise<unknown> => {
    recorder.record("adapter", name, args.length === 1 ? args[0] : args)
    return await method(...args)
  }
}

function userMethods(tables: Tables): Methods {
  const byId = (id: unknown) => tables.users.find((user) => user["id"] === id) ?? null
  return {
    createUser: (user) => add(tables.users, { ...user, id: `user-${tables.users.length + 1}` }),
    getUser: byId,
    getUserByEmail: (email) => tables.users.find((user) => user["email"] === email) ?? null,
    getUserByAccount: ({ provider, providerAccountId }) => {
      const account = tables.accounts.find(
        (each) => each["provider"] === provider && each["providerAccountId"] === providerAccountId,
      )
      return account === undefined ? null : byId(account["userId"])
    },
    updateUser: (user) => change(tables.users, "id", user),
    linkAccount: (account) => add(tables.accounts, { ...account }),
  }
}

function sessionMethods(tables: Tables): Methods {
  const find = (token: unknown) => tables.sessions.find((session) => session["sessionToken"] === token)
  return {
    createSession: (session) => add(tables.sessions, { ...session }),
    getSessionAndUser: (token) => {
      const session = find(token)
      const user = tables.users.find(({ id }) => id === session?.["userId"])
      return session === undefined || user === undefined ? null : { session: { ...session }, user: { ...user } }
    },
    updateSession: (session) => change(tables.sessions, "sessionToken", session),
    deleteSession: (token) => remove(tables.sessions, find(token)),
  }
}

function tokenMethods(tables: Tables): Methods {
  return {
    createVerificationToken: (token) => add(tables.tokens, { ...token }),
    useVerificationToken: ({ identifier, token }) =>
      remove(
        tables.tokens,
        tables.tokens.find((each) => each["identifier"] === identifier && each["token"] === token),
      ),
  }
}

function passkeyMethods(tables: Tables): Methods {
  const find = (id: unknown) => tables.authenticators.find((each) => each["credentialID"] === id) ?? null
  return {
    getAccount: (id: unknown, provider) =>
      tables.accounts.find((each) => each["providerAccountId"] === id && each["provider"] === provider) ?? null,
    getAuthenticator: find,
    createAuthenticator: (authenticator) => add(tables.authenticators, { ...authenticator }),
    listAuthenticatorsByUserId: (userId: unknown) =>
      tables.authenticators.filter((each) => each["userId"] === userId).map((each) => ({ ...each })),
    updateAuthenticatorCounter: (credentialID: unknown, counter) =>
      change(tables.authenticators, "credentialID", { credentialID, counter }),
  }
}

function add(rows: Row[], row: Row): Row {
  rows.push(row)
  return { ...row }
}

function change(rows: Row[], key: string, changes: Row): Row | null {
  const index = rows.findIndex((row) => row[key] === changes[key])
  if (index < 0) return null
  const row = { ...rows[index], ...changes }
  rows[index] = row
  return { ...row }
}

function remove(rows: Row[], row: Row | undefined): Row | null {
  if (row === undefined) return null
  rows.splice(rows.indexOf(row), 1)
  return row
}
