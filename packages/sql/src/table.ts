import type { QueryResult } from "kysely"
import { guarded } from "./guard.js"
import type { TableMap } from "./layouts/table-map.js"
import { mergeFields } from "./merge.js"
import { type Executor, type Last, runDelete, runFind, runInsert, type Subject, takeRows } from "./queries.js"
import { assignChanges, assignNew, canMatch, decoderOf, type Fields, keysOf } from "./rows.js"

/** The rows of one kind. `where` needs equal values in all given fields. */
export interface Table<Entity> {
  readonly map: TableMap
  find(where: Partial<Entity>, last?: Last): Promise<Entity[]>
  /** @throws UniqueViolation if a key is taken @throws TypeError if a value can't be stored */
  add(entity: Entity): Promise<void>
  /** Like `add`, and returns the row, which may have other values than the given ones. */
  create(entity: Entity, key: keyof Entity & string): Promise<Entity>
  /** Returns the changed row, or `undefined` if there is none. Without changes, it locks the row. */
  update(where: Partial<Entity>, changes: Partial<Entity>): Promise<Entity | undefined>
  /** Deletes rows and returns them. If several calls delete a row at once, only one of them gets it. */
  remove(where: Partial<Entity>): Promise<Entity[]>
  /** Deletes rows without reading them. */
  clear(where: Partial<Entity>): Promise<void>
}

export function createTable<Entity extends object>(executor: Executor, map: TableMap): Table<Entity> {
  if (map.missing !== undefined) return emptyTable(map)
  const subject: Subject = { executor, map }
  const decode = decoderOf(map)
  // The layout has a column for each field that the contract requires.
  const decoded = ({ rows }: QueryResult<unknown>) => rows.map((row) => decode(Object(row)) as Entity)
  const find = async (where: Partial<Entity>, last?: Last) => {
    const keys = keysOf(map, where)
    return canMatch(keys) ? decoded(await runFind(subject, keys, last)) : []
  }
  const insert = async (entity: Entity, returns: boolean) => {
    const assignments = assignNew(map, fieldsOf(entity))
    return guarded(subject, { assignments, keys: [] }, (inside) =>
      runInsert({ executor: inside, map }, assignments, returns),
    )
  }
  return {
    map,
    find,
    add: async (entity) => void (await insert(entity, false)),
    create: async (entity, key) => {
      const result = await insert(entity, true)
      const [row] = executor.flavor.returning ? decoded(result) : await find(insertedKey(map, { entity, key, result }))
      if (row === undefined) throw new Error("The database returned no row after an insert. Check its triggers.")
      return row
    },
    update: async (where, changes) => {
      const keys = keysOf(map, where)
      if (!canMatch(keys)) return undefined
      const assignments = assignChanges(map, fieldsOf(changes))
      const result = await guarded(subject, { assignments, keys }, (inside) =>
        mergeFields({ executor: inside, map }, { keys, assignments }),
      )
      return (executor.flavor.returning ? decoded(result) : await find(where))[0]
    },
    remove: async (where) => {
      const keys = keysOf(map, where)
      if (!canMatch(keys)) return []
      if (executor.flavor.returning) return decoded(await runDelete(subject, keys))
      return decoded(await takeRows(subject, keys))
    },
    clear: async (where) => {
      const keys = keysOf(map, where)
      if (canMatch(keys)) await runDelete(subject, keys)
    },
  }
}

/** A published adapter needs no table for what it can't do, such as passkeys. */
function emptyTable<Entity>(map: TableMap): Table<Entity> {
  const reject = async () => {
    throw new Error(`The database has no table ${map.name}. ${map.missing}`)
  }
  return {
    map,
    find: async () => [],
    add: reject,
    create: reject,
    update: async () => undefined,
    remove: async () => [],
    clear: async () => {},
  }
}

interface Inserted<Entity> {
  readonly entity: Entity
  readonly key: keyof Entity & string
  readonly result: QueryResult<unknown>
}

/** The given key, or the number that the database assigned. */
function insertedKey<Entity extends object>(
  { columns }: TableMap,
  { entity, key, result }: Inserted<Entity>,
): Partial<Entity> {
  const isGenerated = columns.some(({ field, generated }) => field === key && generated === true)
  // The contract has the type string for ids, but the adapters over such tables return numbers.
  if (isGenerated) return { [key]: String(result.insertId) } as Partial<Entity>
  const picked: Partial<Entity> = {}
  picked[key] = entity[key]
  return picked
}

function fieldsOf(entity: object): Fields {
  return { ...entity }
}
