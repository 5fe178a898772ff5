import type { Recorder } from "./recorder.js"

type Row = Readonly<Record<string, unknown>>

export interface Tables {
  readonly users: Row[]
  readonly accounts: Row[]
  readonly sessions: Row[]
  readonly tokens: Row[]
}

export function emptyTables(): Tables {
  return { users: [], accounts: [], sessions: [], tokens: [] }
}

type Methods = Readonly<Record<string, (argument: Row, more?: unknown) => unknown>>

/** An adapter with exactly the methods of next-auth 5. It records its calls, and its ids are predictable. */
export function createDatabase(recorder: Recorder, tables: Tables): object {
  const methods = { ...userMethods(tables), ...sessionMethods(tables), ...tokenMethods(tables) }
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, recorded(recorder, name, method)]))
}

function recorded(recorder: Recorder, name: string, method: Methods[string]) {
  return async (argument: Row): Promise<unknown> => {
    recorder.record("adapter", name, argument)
    return await method(argument)
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
