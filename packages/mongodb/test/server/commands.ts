import { type Document, Long } from "bson"
import { Collection, type Index } from "./collection.js"
import { Failure, unsupported } from "./failure.js"
import { matches } from "./match.js"

/** The collections of a server, by database and name. */
export class Databases {
  readonly #collections = new Map<string, Collection>()
  readonly #transactions = new Map<string, Transaction>()

  get(command: Document, name: unknown): Collection {
    const key = `${command["$db"]}.${String(name)}`
    const collection = this.#collections.get(key) ?? new Collection()
    this.#collections.set(key, collection)
    return collection
  }

  /** A transaction works on copies, which `commit` compares with what is stored by then. */
  inTransaction(command: Document): Databases {
    const name = sessionOf(command)
    // `commitTransaction` and `abortTransaction` end it themselves.
    if ("commitTransaction" in command || "abortTransaction" in command) return this
    if (command["startTransaction"] === true) this.#transactions.set(name, new Transaction(this))
    const transaction = this.#transactions.get(name)
    if (!transaction) throw new Failure(251, "There is no transaction")
    return transaction
  }

  end(command: Document): Transaction {
    const name = sessionOf(command)
    const transaction = this.#transactions.get(name)
    this.#transactions.delete(name)
    if (!transaction) throw new Failure(251, "There is no transaction")
    return transaction
  }

  has(command: Document, name: unknown): boolean {
    return this.#collections.has(`${command["$db"]}.${String(name)}`)
  }
}

const writeConflict = 112

class Transaction extends Databases {
  readonly #base: Databases
  readonly #copies = new Map<Collection, Copy>()

  constructor(base: Databases) {
    super()
    this.#base = base
  }

  override get(command: Document, name: unknown): Collection {
    const original = this.#base.get(command, name)
    const copy = this.#copies.get(original) ?? new Copy(original)
    this.#copies.set(original, copy)
    return copy
  }

  commit(): void {
    for (const copy of this.#copies.values()) copy.check()
    for (const copy of this.#copies.values()) copy.apply()
  }
}

class Copy extends Collection {
  readonly #original: Collection
  readonly #before: readonly Document[]

  constructor(original: Collection) {
    super()
    this.#original = original
    this.#before = original.documents
    this.documents = [...original.documents]
    this.indexes = original.indexes
  }

  check(): void {
    const ids = new Set(this.#removed().map((each) => each["_id"]))
    const isStale = this.#removed().some((each) => !this.#original.documents.includes(each))
    const isTaken = (added: Document) =>
      this.#original.documents.some((each) => each["_id"] === added["_id"] && !ids.has(each["_id"]))
    if (isStale || this.#added().some(isTaken)) throw new Failure(writeConflict, "Write conflict")
  }

  apply(): void {
    const removed = this.#removed()
    this.#original.documents = [...this.#original.documents.filter((each) => !removed.includes(each)), ...this.#added()]
  }

  #removed(): Document[] {
    return this.#before.filter((each) => !this.documents.includes(each))
  }

  #added(): Document[] {
    return this.documents.filter((each) => !this.#before.includes(each))
  }
}

function sessionOf({ lsid }: Document): string {
  return lsid.id.toString("hex")
}

type Command = (command: Document, databases: Databases) => Document

const hello: Command = () => ({
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
  logicalSessionTimeoutMinutes: 30,
  readOnly: false,
})

export const commands: Readonly<Record<string, Command>> = {
  hello,
  ismaster: hello,
  isMaster: hello,
  ping: () => ({}),
  endSessions: () => ({}),
  killCursors: ({ cursors }) => ({ cursorsKilled: cursors }),
  insert: (command, databases) => {
    const collection = databases.get(command, command["insert"])
    return written(command["documents"], (document) => {
      collection.insert(document)
      return 1
    })
  },
  delete: (command, databases) => {
    const collection = databases.get(command, command["delete"])
    return written(command["deletes"], ({ q, limit }) => {
      const found = collection.find(q).slice(0, limit === 0 ? undefined : limit)
      for (const document of found) collection.remove(document)
      return found.length
    })
  },
  find: (command, databases) => {
    const { filter = {}, limit = 0, sort = {} } = command
    const found = databases.get(command, command["find"]).find(filter)
    for (const [field, direction] of Object.entries(sort).toReversed())
      found.sort((one, other) => compared(one[field], other[field]) * Number(direction))
    return cursor(command, "find", limit === 0 ? found : found.slice(0, limit))
  },
  findAndModify: (command, databases) => {
    const { query = {}, update, remove = false, new: returnsNew = false } = command
    if (command["upsert"]) throw unsupported("upsert")
    const collection = databases.get(command, command["findAndModify"])
    const [found] = collection.find(query)
    if (found === undefined) return { value: null, lastErrorObject: { n: 0 } }
    if (remove) collection.remove(found)
    const after = remove ? found : collection.update(found, update)
    return { value: returnsNew ? after : found, lastErrorObject: { n: 1 } }
  },
  aggregate: (command, databases) => cursor(command, "aggregate", aggregated(command, databases)),
  createIndexes: (command, databases) => {
    const collection = databases.get(command, command["createIndexes"])
    for (const index of command["indexes"] as Index[]) collection.createIndex(index)
    return { numIndexesAfter: collection.indexes.length }
  },
  listIndexes: (command, databases) => {
    const name: unknown = command["listIndexes"]
    if (!databases.has(command, name)) throw new Failure(26, `ns does not exist: ${String(name)}`)
    return cursor(command, "listIndexes", databases.get(command, name).indexes)
  },
  commitTransaction: (command, databases) => {
    databases.end(command).commit()
    return {}
  },
  abortTransaction: (command, databases) => {
    databases.end(command)
    return {}
  },
  dropDatabase: () => {
    throw unsupported("dropDatabase")
  },
}

/** Text, numbers and dates. */
function compared(one: string | number | Date, other: string | number | Date): number {
  return one < other ? -1 : Number(one > other)
}

/** Executes a command. Errors become responses. */
export function execute(command: Document, databases: Databases): Document {
  const [name = ""] = Object.keys(command)
  try {
    const run = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (run === undefined) throw new Failure(59, `no such command: '${name}'`)
    if (command["autocommit"] === false) return { ...run(command, databases.inTransaction(command)), ok: 1 }
    if ("txnNumber" in command) throw unsupported("retryable writes")
    return { ...run(command, databases), ok: 1 }
  } catch (error) {
    const code = error instanceof Failure ? error.code : 8
    const errorLabels = code === writeConflict ? ["TransientTransactionError"] : []
    return { ok: 0, code, errorLabels, errmsg: error instanceof Error ? error.message : String(error) }
  }
}

/** Stops at the first error, like an ordered bulk write. */
function written(statements: readonly Document[], run: (statement: Document) => number): Document {
  let n = 0
  for (const [index, statement] of statements.entries()) {
    try {
      n += run(statement)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { n, writeErrors: [{ index, code: error.code, errmsg: error.message }] }
    }
  }
  return { n }
}

function cursor(command: Document, name: string, firstBatch: readonly object[]): Document {
  return { cursor: { id: Long.ZERO, ns: `${command["$db"]}.${command[name]}`, firstBatch } }
}

function aggregated(command: Document, databases: Databases): Document[] {
  let documents = databases.get(command, command["aggregate"]).find({})
  for (const stage of command["pipeline"] as Document[]) {
    const { $match, $lookup, $limit } = stage
    if ($match) documents = documents.filter((document) => matches(document, $match))
    else if ($limit) documents = documents.slice(0, $limit)
    else if ($lookup) {
      const foreign = databases.get(command, $lookup.from)
      documents = documents.map((document) => ({
        ...document,
        [$lookup.as]: foreign.find({ [$lookup.foreignField]: document[$lookup.localField] }),
      }))
    } else throw unsupported(`the stage ${Object.keys(stage).join(", ")}`)
  }
  return documents
}
