import { type AuditFilter, auditTable } from "@latchkey/sql/audit"
import type { SqlAdapter } from "@latchkey/sql"
import type { AuditEntry } from "./entry.js"
import type { AuditSink } from "./options.js"

/** Which entries to find. */
export interface AuditQuery {
  /** Entries about this user. */
  readonly userId?: string | undefined
  /** Such as `sign-in`. */
  readonly name?: string | undefined
  /** At this time or later. */
  readonly from?: Date | undefined
  /** Before this time. */
  readonly to?: Date | undefined
  /** `next` of the page before. @default the first page */
  readonly after?: string | undefined
  /** Entries of a page, at most 500. @default 50 */
  readonly limit?: number | undefined
}

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditEntry[]
  /** For `after`. `undefined`: it's the last page. */
  readonly next: string | undefined
}

/** An audit log in the table `latchkey_audit`. */
export interface SqlAuditSink extends AuditSink {
  /** @throws RangeError if `limit` is no number from 1 to 500 */
  query(query?: AuditQuery): Promise<AuditPage>
  /** Deletes entries that are older, in batches. @returns how many */
  purge(before: Date): Promise<number>
  /** Everything that is kept about a user. */
  export(userId: string): Promise<readonly AuditEntry[]>
}

/**
 * Writes entries to a table in the database of an adapter. `npx latchkey db plan` shows its statements.
 *
 * @throws TypeError if the adapter isn't one of `@latchkey/sql`
 * @example
 * ```ts
 * import { audit } from "@latchkey/audit"
 * import { sql } from "@latchkey/audit/sql"
 * import { postgres } from "@latchkey/sql/postgres"
 *
 * export const adapter = postgres("postgres://app@localhost/app")
 * export const log = sql(adapter)
 * export const modules = [audit({ sinks: [log] })]
 * ```
 */
export function sql(adapter: SqlAdapter): SqlAuditSink {
  const table = auditTable(adapter)
  const find = async (filter: AuditFilter) =>
    (await table.find(filter)).map(({ entry }): AuditEntry => JSON.parse(entry))
  const query = async ({ from, to, after, limit = 50, ...filter }: AuditQuery = {}): Promise<AuditPage> => {
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > maxPage)
      throw new RangeError(`\`limit\` is a number of entries, from 1 to ${maxPage}`)
    const times = { from: from?.getTime(), to: to?.getTime() }
    const found = await find({ ...filter, ...times, before: after, limit: limit + 1 })
    const entries = found.slice(0, limit)
    return { entries, next: found.length > limit ? entries.at(-1)?.id : undefined }
  }
  return {
    name: "sql",
    write: async (entries) => table.append(entries.map(rowOf)),
    query,
    purge: async (before) => table.purge(before),
    async export(userId) {
      const all: AuditEntry[] = []
      let after: string | undefined
      do {
        const page = await query({ userId, after, limit: maxPage })
        all.push(...page.entries)
        after = page.next
      } while (after !== undefined)
      return all
    },
  }
}

const maxPage = 500

function rowOf(entry: AuditEntry) {
  const { id, at, name, actor, subject } = entry
  const user = subject.kind === "user" ? subject : actor
  return {
    id,
    at: Date.parse(at),
    name,
    userId: user.kind === "user" ? user.id : null,
    entry: JSON.stringify(entry),
  }
}
