import { type Document, Long } from "bson"
import { Collection, type Index } from "./collection.js"
import { Failure, unsupported } from "./failure.js"
import { matches } from "./match.js"

/** The collections of a server, by database and name. */
export class Databases {
  readonly #collections = new Map<string, Collection>()

  get(command: Document, name: unknown): Collection {
    const key = `${command["$db"]}.${String(name)}`
    const collection = this.#collections.get(key) ?? new Collection()
    this.#collections.set(key, collection)
    return collection
  }

  has(command: Document, name: unknown): boolean {
    return this.#collections.has(`${command["$db"]}.${String(name)}`)
  }
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
      found.sort((one, other) => (Number(one[field]) - Number(other[field])) * Number(direction))
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
  dropDatabase: () => {
    throw unsupported("dropDatabase")
  },
}

/** Executes a command. Errors become responses. */
export function execute(command: Document, databases: Databases): Document {
  const [name = ""] = Object.keys(command)
  try {
    const run = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (run === undefined) throw new Failure(59, `no such command: '${name}'`)
    if ("txnNumber" in command) throw unsupported("transactions and retryable writes")
    return { ...run(command, databases), ok: 1 }
  } catch (error) {
    const code = error instanceof Failure ? error.code : 8
    return { ok: 0, code, errmsg: error instanceof Error ? error.message : String(error) }
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
