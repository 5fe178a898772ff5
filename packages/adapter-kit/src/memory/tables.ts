import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "@latchkey/core/adapters"
import { UniqueViolation } from "../unique-violation.js"

/** Rows by key. A `Map` is one; a {@link Draft} is another. */
export interface Table<Row> {
  get(key: string): Row | undefined
  set(key: string, row: Row): unknown
  delete(key: string): unknown
  values(): Iterable<Row>
}

export interface Tables {
  readonly users: Table<AdapterUser>
  /** Address → id of the user who has it. */
  readonly emails: Table<string>
  readonly accounts: Table<AdapterAccount>
  readonly sessions: Table<AdapterSession>
  readonly tokens: Table<VerificationToken>
  readonly authenticators: Table<AdapterAuthenticator>
}

export function emptyTables(): Tables {
  return {
    users: new Map(),
    emails: new Map(),
    accounts: new Map(),
    sessions: new Map(),
    tokens: new Map(),
    authenticators: new Map(),
  }
}

/** One key of two parts; the length in front keeps `("a", "bc")` and `("ab", "c")` apart. */
export function pair(first: string, second: string): string {
  return `${first.length}:${first}${second}`
}

/** Tables whose writes nobody else sees until `commit`. */
export function draftOf(base: Tables): { readonly tables: Tables; commit(): void } {
  const users = new Draft(base.users)
  const emails = new Draft(base.emails)
  const accounts = new Draft(base.accounts)
  const sessions = new Draft(base.sessions)
  const tokens = new Draft(base.tokens)
  const authenticators = new Draft(base.authenticators)
  const drafts = [users, emails, accounts, sessions, tokens, authenticators]
  return {
    tables: { users, emails, accounts, sessions, tokens, authenticators },
    commit: () => {
      for (const draft of drafts) draft.check()
      for (const draft of drafts) draft.apply()
    },
  }
}

class Draft<Row> implements Table<Row> {
  readonly #base: Table<Row>
  readonly #changes = new Map<string, Row | undefined>()
  /** Whether the row was there when the draft first touched it. */
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
    // Every key the draft touched, then what the base has besides; keys are not on the rows, so compare rows.
    const touched = new Set<Row | undefined>()
    for (const key of this.#changes.keys()) touched.add(this.#base.get(key))
    for (const row of this.#base.values()) if (!touched.has(row)) yield row
    for (const row of this.#changes.values()) if (row !== undefined) yield row
  }

  /** Of two writers that create or remove one row the later one fails, as in a database. */
  check(): void {
    for (const [key, existed] of this.#existed) {
      if (existed !== (this.#base.get(key) !== undefined)) {
        throw new UniqueViolation("Another write created or removed the same row first: run the transaction again")
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
