import type { Adapter } from "@latchkey/core/adapters"
import { close, configurationIn } from "../db/configuration.js"
import type { ImportOrder, Imported, Result, Source } from "../db/job.js"
import { Failure } from "../failure.js"
import { type Entry, entryIn, Refusal } from "./entry.js"
import { linesOf } from "./lines.js"
import type { Directory } from "./directory.js"
import { type Members, membersIn, type PasswordMembers } from "./members.js"

interface Signals {
  /** The configuration is there. */
  readonly onLoad: () => void
  readonly onRows: (rows: number) => void
}

/** Lines between two signs of life. */
const linesPerSign = 10_000

/** Imports the passwords of a file. It can run again, and goes on where it stopped. @throws Failure */
export async function importPasswords(source: Source, order: ImportOrder, signals: Signals): Promise<Result> {
  const config = await configurationIn(source)
  signals.onLoad()
  try {
    const members = membersIn(config)
    if (members.password === undefined)
      throw new Failure(
        "The configuration has no module `password()`. Add it, for example with `latchkey add password`.",
      )
    const target = targetOf(order, config.adapter ?? {}, { ...members, password: members.password })
    const report = new Report()
    let rows = 0
    for await (const line of linesOf(order.file)) {
      report.add(line.number, await resultOf(() => target(entryIn(line, order.firebase))))
      if (++rows % linesPerSign === 0) signals.onRows(linesPerSign)
    }
    return { kind: "imported", ...report.result() }
  } finally {
    await close(config.adapter)
  }
}

type Outcome =
  | { readonly kind: "imported" | "created"; readonly format: string }
  | { readonly kind: "kept" | "missing" | "withoutPassword" }
  | { readonly kind: "refused"; readonly reason: string }

async function resultOf(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", reason: error.message }
    throw error
  }
}

type Ready = Members & { readonly password: PasswordMembers }

/** Returns what imports one entry, or only looks. */
function targetOf(order: ImportOrder, adapter: Adapter, members: Ready): (entry: Entry) => Promise<Outcome> {
  const { directory, password } = members
  /** Users that a dry run would have given a password. */
  const done = new Set<string>()
  const isNew = (found: string | null, email: string) => found === null && !done.has(email)
  const hasPassword = async (found: string | null, email: string) =>
    done.has(email) || (found !== null && password.has(found))
  return async (entry) => {
    const { hash } = entry
    if (hash === undefined) return { kind: "withoutPassword" }
    const format = await formatOf(password, hash)
    const email = await typed(directory, entry.email)
    const found = await directory.find(email)
    if (found === null && !order.createsUsers) return { kind: "missing" }
    if (!order.overwrites && (await hasPassword(found, email))) return { kind: "kept" }
    const kind = isNew(found, email) ? "created" : "imported"
    if (order.isDryRun) {
      done.add(email)
      return { kind, format }
    }
    const id = found ?? (await createdBy(adapter, { ...entry, email }, order.isVerified))
    const isStored = await password.importHash(id, hash, { replace: order.overwrites })
    return isStored ? { kind, format } : { kind: "kept" }
  }
}

/** The module doesn't quote the hash. */
async function formatOf({ formatOf }: PasswordMembers, hash: string): Promise<string> {
  return formatOf(hash).catch((cause: unknown) => {
    throw cause instanceof TypeError ? new Refusal(cause.message) : cause
  })
}

async function typed({ typed }: Directory, email: string): Promise<string> {
  const stored = await typed(email)
  if (stored === null) throw new Refusal("The email isn't the email of one mailbox")
  return stored
}

async function createdBy(adapter: Adapter, entry: Entry, isAlwaysVerified: boolean): Promise<string> {
  if (adapter.createUser === undefined) throw new Failure("The adapter has no method `createUser()`.")
  const { email, name, isVerified } = entry
  const emailVerified = isVerified || isAlwaysVerified ? new Date() : null
  const user = await adapter.createUser({ id: crypto.randomUUID(), email, emailVerified, name: name ?? null })
  return user.id
}

/** Numbers of lines that are kept for each reason. */
const linesKept = 1000

class Report {
  readonly #counts: Record<keyof Imported["counts"], number> = {
    imported: 0,
    created: 0,
    kept: 0,
    missing: 0,
    withoutPassword: 0,
  }
  readonly #formats = new Map<string, number>()
  readonly #refused = new Map<string, { count: number; lines: number[] }>()

  add(line: number, outcome: Outcome): void {
    if (outcome.kind === "refused") return this.#refuse(line, outcome.reason)
    this.#counts[outcome.kind]++
    if ("format" in outcome) this.#formats.set(outcome.format, (this.#formats.get(outcome.format) ?? 0) + 1)
  }

  #refuse(line: number, reason: string): void {
    const { count, lines } = this.#refused.get(reason) ?? { count: 0, lines: [] }
    if (count < linesKept) lines.push(line)
    this.#refused.set(reason, { count: count + 1, lines })
  }

  result(): Imported {
    const refused = [...this.#refused].map(([reason, { count, lines }]) => ({ reason, count, lines }))
    return { counts: { ...this.#counts }, formats: Object.fromEntries(this.#formats), refused }
  }
}
