import type { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import type { Item } from "./codec.js"
import type { Key } from "./keys.js"
import type { DynamoDBAdapterOptions } from "./options.js"

/** What must hold for a write. */
export interface Condition {
  /** Attributes that the item must have. */
  readonly equals?: Item
  /** Entries that a map of the item must have. */
  readonly equalsIn?: Readonly<Record<string, Item>>
  /** Whether there must be an item, or must not be one. */
  readonly exists?: boolean
}

export interface Changes {
  readonly set: Item
  readonly remove?: readonly string[]
  /** Entries of maps. Creates a map that doesn't exist. */
  readonly setIn?: Readonly<Record<string, Item>>
}

/** An item to store, or without one a key to delete. */
export interface TableWrite {
  readonly key: Key
  readonly item?: Item
  readonly condition?: Condition
}

/** One table. Keys are named `pk` and `sk` here, however they are named in the table. */
export interface Table {
  /** Reads what the last write stored. */
  get(key: Key): Promise<Item | undefined>
  /** Every item of a partition whose sort key begins with a text. */
  list(pk: string, begins?: string): Promise<readonly (Key & { readonly item: Item })[]>
  /** The items of about `limit` whose partition key begins with a text. `next` is where to look on. */
  scan(begins: string, page: { readonly limit: number; readonly after?: string }): Promise<Scanned>
  /** The keys of items in the index, which can be a few seconds old. */
  lookUp(indexKey: Key): Promise<readonly Key[]>
  /** `false`: the condition doesn't hold. */
  put(key: Key, item: Item, condition?: Condition): Promise<boolean>
  /** Returns the new item, or `undefined` if the condition doesn't hold. */
  update(key: Key, changes: Changes, condition: Condition): Promise<Item | undefined>
  /** Returns the deleted item, or `undefined` if there was none or the condition doesn't hold. */
  remove(key: Key, condition?: Condition): Promise<Item | undefined>
  /** Makes all writes, or none if a condition doesn't hold or another call writes one of the items: `false`. */
  transact(writes: readonly TableWrite[]): Promise<boolean>
  /** The attributes that put an item into the index. */
  indexed(indexKey: Key): Item
  /** Removes keys from the attributes of an item. */
  withoutKeys(item: Item): Item
}

interface Scanned {
  readonly items: readonly Item[]
  readonly next: string | undefined
}

export function createTable(client: DynamoDBDocument, options: DynamoDBAdapterOptions): Table {
  const names = namesOf(options)
  const { TableName } = names
  const keyOf = ({ pk, sk }: Key) => ({ [names.pk]: pk, [names.sk]: sk })
  const pages = pagesOf(client, names)
  return {
    get: async (key) => (await client.get({ TableName, Key: keyOf(key), ConsistentRead: true })).Item,
    list: async (pk, begins) => {
      const items = await pages({ pk, begins })
      return items.map((item) => ({ pk, sk: String(item[names.sk]), item }))
    },
    scan: async (begins, { limit, after }) => {
      const { Items: items = [], LastEvaluatedKey: last } = await client.scan({
        TableName,
        ConsistentRead: true,
        FilterExpression: "begins_with(#pk, :begins)",
        ExpressionAttributeNames: { "#pk": names.pk },
        ExpressionAttributeValues: { ":begins": begins },
        Limit: limit,
        // `next` of the page before.
        ...(after !== undefined && { ExclusiveStartKey: JSON.parse(after) as Record<string, unknown> }),
      })
      return { items, next: last && JSON.stringify(last) }
    },
    lookUp: async (indexKey) => {
      const items = await pages({ index: indexKey })
      return items.map((item) => ({ pk: String(item[names.pk]), sk: String(item[names.sk]) }))
    },
    put: (key, item, condition) =>
      succeeds(client.put({ TableName, Item: { ...item, ...keyOf(key) }, ...expressionOf(condition, names.pk) })),
    update: async (key, changes, condition) => {
      const update = { TableName, Key: keyOf(key), ReturnValues: "ALL_NEW" } as const
      for (const map of Object.keys(changes.setIn ?? {})) {
        const created = { ...update, ...createMap(map, names.pk) }
        if ((await unlessRefused(client.update(created))) === undefined) return undefined
      }
      return (await unlessRefused(client.update({ ...update, ...updateOf(changes, condition, names.pk) })))?.Attributes
    },
    remove: async (key, condition) => {
      const request = { TableName, Key: keyOf(key), ReturnValues: "ALL_OLD" } as const
      return (await unlessRefused(client.delete({ ...request, ...expressionOf(condition, names.pk) })))?.Attributes
    },
    transact: async (writes) => {
      const TransactItems = writes.map(({ key, item, condition }) => {
        const expression = { TableName, ...expressionOf(condition, names.pk) }
        if (item) return { Put: { ...expression, Item: { ...item, ...keyOf(key) } } }
        return { Delete: { ...expression, Key: keyOf(key) } }
      })
      return (await unlessCanceled(client.transactWrite({ TransactItems }))) !== undefined
    },
    indexed: ({ pk, sk }) => ({ [names.indexPk]: pk, [names.indexSk]: sk }),
    withoutKeys: (item) => without(item, [names.pk, names.sk, names.indexPk, names.indexSk]),
  }
}

interface Names {
  readonly TableName: string
  readonly pk: string
  readonly sk: string
  readonly IndexName: string
  readonly indexPk: string
  readonly indexSk: string
}

function namesOf(options: DynamoDBAdapterOptions): Names {
  const { tableName = "next-auth", partitionKey = "pk", sortKey = "sk" } = options
  const { indexName = "GSI1", indexPartitionKey = "GSI1PK", indexSortKey = "GSI1SK" } = options
  return {
    TableName: tableName,
    pk: partitionKey,
    sk: sortKey,
    IndexName: indexName,
    indexPk: indexPartitionKey,
    indexSk: indexSortKey,
  }
}

export function without(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))
}

interface Wanted {
  readonly pk?: string
  readonly begins?: string | undefined
  readonly index?: Key
}

/** A response has at most 1 MB, so a partition can need several. */
function pagesOf(client: DynamoDBDocument, names: Names): (wanted: Wanted) => Promise<Item[]> {
  return async (wanted) => {
    const query = queryOf(wanted, names)
    const items: Item[] = []
    let start: Record<string, unknown> | undefined
    do {
      const page = await client.query({ ...query, ExclusiveStartKey: start })
      items.push(...(page.Items ?? []))
      start = page.LastEvaluatedKey
    } while (start !== undefined)
    return items
  }
}

function queryOf({ pk, begins, index }: Wanted, names: Names) {
  const { TableName, IndexName } = names
  if (index !== undefined) {
    return {
      TableName,
      IndexName,
      KeyConditionExpression: "#pk = :pk AND #sk = :sk",
      ExpressionAttributeNames: { "#pk": names.indexPk, "#sk": names.indexSk },
      ExpressionAttributeValues: { ":pk": index.pk, ":sk": index.sk },
    }
  }
  const isPart = begins !== undefined
  return {
    TableName,
    ConsistentRead: true,
    KeyConditionExpression: isPart ? "#pk = :pk AND begins_with(#sk, :begins)" : "#pk = :pk",
    ExpressionAttributeNames: { "#pk": names.pk, ...(isPart && { "#sk": names.sk }) },
    ExpressionAttributeValues: { ":pk": pk, ...(isPart && { ":begins": begins }) },
  }
}

interface Expression {
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ExpressionAttributeValues?: Record<string, unknown>
}

/** Collects names and values of an expression, because many names of attributes are reserved words. */
class Placeholders {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, unknown> = {}

  /** The names are given one by one, because the name of a field can contain a dot. */
  path(...names: readonly string[]): string {
    return names.map((name) => this.#add(this.names, "#", name)).join(".")
  }

  /** A term for each value. */
  equations(values: Item = {}, inMaps: Readonly<Record<string, Item>> = {}): string[] {
    const maps = Object.entries(inMaps).flatMap(([map, entries]) =>
      Object.entries(entries).map(([name, value]) => `${this.path(map, name)} = ${this.value(value)}`),
    )
    return [...Object.entries(values).map(([name, value]) => `${this.path(name)} = ${this.value(value)}`), ...maps]
  }

  value(value: unknown): string {
    return this.#add(this.values, ":", value)
  }

  #add<Value>(into: Record<string, Value>, sign: string, value: Value): string {
    const placeholder = `${sign}${Object.keys(into).length}`
    into[placeholder] = value
    return placeholder
  }

  expressions(): Pick<Expression, "ExpressionAttributeNames" | "ExpressionAttributeValues"> {
    const hasValues = Object.keys(this.values).length > 0
    return {
      ExpressionAttributeNames: this.names,
      ...(hasValues && { ExpressionAttributeValues: this.values }),
    }
  }
}

function conditionOf({ equals, equalsIn, exists }: Condition, placeholders: Placeholders, pk: string): string {
  const terms = placeholders.equations(equals, equalsIn)
  if (exists !== undefined) {
    terms.push(`${exists ? "attribute_exists" : "attribute_not_exists"}(${placeholders.path(pk)})`)
  }
  return terms.join(" AND ")
}

function expressionOf(condition: Condition | undefined, pk: string): Expression {
  if (condition === undefined) return {}
  const placeholders = new Placeholders()
  return { ConditionExpression: conditionOf(condition, placeholders, pk), ...placeholders.expressions() }
}

function updateOf({ set, setIn, remove = [] }: Changes, condition: Condition, pk: string) {
  const placeholders = new Placeholders()
  const assignments = placeholders.equations(set, setIn)
  const removals = remove.map((name) => placeholders.path(name))
  const parts = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(", ")}`] : []),
    ...(removals.length > 0 ? [`REMOVE ${removals.join(", ")}`] : []),
  ]
  const ConditionExpression = conditionOf(condition, placeholders, pk)
  const UpdateExpression = parts.join(" ")
  return { ...(UpdateExpression !== "" && { UpdateExpression }), ConditionExpression, ...placeholders.expressions() }
}

function createMap(name: string, pk: string) {
  const placeholders = new Placeholders()
  const path = placeholders.path(name)
  const UpdateExpression = `SET ${path} = if_not_exists(${path}, ${placeholders.value({})})`
  const ConditionExpression = conditionOf({ exists: true }, placeholders, pk)
  return { UpdateExpression, ConditionExpression, ...placeholders.expressions() }
}

async function succeeds(write: Promise<object>): Promise<boolean> {
  return (await unlessRefused(write)) !== undefined
}

/** Other reasons than these, such as throttling, are errors. */
async function unlessCanceled<Output>(write: Promise<Output>): Promise<Output | undefined> {
  try {
    return await write
  } catch (error) {
    const reasons: unknown = Reflect.get(Object(error), "CancellationReasons")
    const codes = Array.isArray(reasons)
      ? reasons.map((reason: unknown) => String(Reflect.get(Object(reason), "Code")))
      : []
    const expected = ["None", "ConditionalCheckFailed", "TransactionConflict"]
    if (codes.length > 0 && codes.every((code) => expected.includes(code))) return undefined
    throw error
  }
}

async function unlessRefused<Output>(write: Promise<Output>): Promise<Output | undefined> {
  try {
    return await write
  } catch (error) {
    if (error instanceof Error && error.name === "ConditionalCheckFailedException") return undefined
    throw error
  }
}
