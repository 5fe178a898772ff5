import {
  type AdapterAccount,
  type AdapterAuthenticator,
  type AdapterSession,
  type AdapterUser,
  type StoredRecord,
  UniqueViolation,
  type VerificationToken,
} from "@latchkey/core/adapters"

/** Rows by key: a `Map`, or a {@link Draft} in a transaction. */
export interface Table<Row> {
  get(key: string): Row | undefined
  set(key: string, row: Row): unknown
  delete(key: string): unknown
  values(): Iterable<Row>
}

export interface Tables {
  readonly users: Table<AdapterUser>
  /** User ids by email. */
  readonly emails: Table<string>
  readonly accounts: Table<AdapterAccount>
  readonly sessions: Table<AdapterSession>
  readonly tokens: Table<VerificationToken>
  readonly authenticators: Table<AdapterAuthenticator>
  readonly records: Table<StoredRecord>
}

export function emptyTables(): Tables {
  return {
    users: new Map(),
    emails: new Map(),
    accounts: new Map(),
    sessions: new Map(),
    tokens: new Map(),
    authenticators: new Map(),
    records: new Map(),
  }
}

/** A key of two parts. The length prefix distinguishes `("a", "bc")` from `("ab", "c")`. */
export function pair(first: string, second: string): string {
  return `${first.length}:${first}${second}`
}

/** Tables for a transaction. Their writes become visible with `commit`. */
export function draftOf(base: Tables): { readonly tables: Tables; commit(): void } {
  const users = new Draft(base.users)
  const emails = new Draft(base.emails)
  const accounts = new Draft(base.accounts)
  const sessions = new Draft(base.sessions)
  const tokens = new Draft(base.tokens)
  const authenticators = new Draft(base.authenticators)
  const records = new Draft(base.records)
  const drafts = [users, emails, accounts, sessions, tokens, authenticators, records]
  return {
    tables: { users, emails, accounts, sessions, tokens, authenticators, records },
    commit: () => {
      for (const draft of drafts) draft.check()
      for (const draft of drafts) draft.apply()
    },
  }
}

class Draft<Row> implements Table<Row> {
  readonly #base: Table<Row>
  readonly #changes = new Map<string, Row | undefined>()
  /** Whether the row existed when the draft first changed it. */
  readonly #existed = new Map<string, boolean>()

  constructor(base: Table<Row>) {
    this.#base = base
  }

  get(key: string): Row | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#base.get(key)
  }

  set(key: string, row: Row): void {
    this.#change(key, row)
  }

  delete(key: string): void {
    this.#change(key, undefined)
  }

  *values(): Iterable<Row> {
    // A row doesn't contain its key, so changed rows are recognized by identity.
    const changed = new Set<Row | undefined>()
    for (const key of this.#changes.keys()) changed.add(this.#base.get(key))
    for (const row of this.#base.values()) if (!changed.has(row)) yield row
    for (const row of this.#changes.values()) if (row !== undefined) yield row
  }

  /** Fails if another write created or deleted the same row meanwhile, as a database would. */
  check(): void {
    for (const [key, existed] of this.#existed) {
      if (existed !== (this.#base.get(key) !== undefined)) {
        throw new UniqueViolation("Another write created or deleted the same row first. Repeat the transaction.")
      }
    }
  }

  apply(): void {
    for (const [key, row] of this.#changes) {
      if (row === undefined) this.#base.delete(key)
      else this.#base.set(key, row)
    }
  }

  #change(key: string, row: Row | undefined): void {
    if (!this.#changes.has(key)) this.#existed.set(key, this.#base.get(key) !== undefined)
    this.#changes.set(key, row)
  }
}

/** Returns a deep copy without `undefined` fields, which a database wouldn't store either. */
export function copyIn<Row extends object>(row: Row): Row {
  const own = { ...row }
  for (const key in own) {
    if (own[key] === undefined) delete own[key]
    else own[key] = copyValue(own[key])
  }
  // `delete` makes an object slow in V8, so store a fresh one.
  return { ...own }
}

/** Returns a deep copy of a stored row. It's faster than {@link copyIn}, because each session read uses it. */
export function copyOut<Row extends object>(row: Row): Row {
  const own = { ...row }
  for (const key in own) {
    const value = own[key]
    if (typeof value === "object" && value !== null) own[key] = copyValue(value)
  }
  return own
}

function copyValue<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value
  return value instanceof Date ? (new Date(value) as Value & Date) : structuredClone(value)
}
