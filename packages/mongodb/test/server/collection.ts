import { type Document, ObjectId } from "bson"
import { Failure, unsupported } from "./failure.js"
import { keyOf, matches, valueAt } from "./match.js"

export interface Index {
  readonly name: string
  readonly key: Document
  readonly unique?: boolean
  readonly partialFilterExpression?: Document
  readonly expireAfterSeconds?: number
}

/** Each method runs to its end before the next command, so each is atomic. */
export class Collection {
  documents: Document[] = []
  indexes: Index[] = [{ name: "_id_", key: { _id: 1 }, unique: true }]

  find(filter: Document): Document[] {
    return this.documents.filter((document) => matches(document, filter))
  }

  insert(given: Document): void {
    const document = "_id" in given ? given : { _id: new ObjectId(), ...given }
    this.#assertUnique(document)
    this.documents.push(document)
  }

  remove(document: Document): void {
    this.documents = this.documents.filter((each) => each !== document)
  }

  update(document: Document, update: Document | Document[]): Document {
    const changed = Array.isArray(update) ? pipelined(document, update) : modified(document, update)
    this.#assertUnique(changed, document)
    this.documents = this.documents.map((each) => (each === document ? changed : each))
    return changed
  }

  createIndex(index: Index): void {
    const same = this.indexes.find(({ key }) => keyOf(key) === keyOf(index.key))
    if (same?.name === index.name) return
    if (same !== undefined) throw new Failure(85, `Index already exists with a different name: ${same.name}`)
    for (const document of this.documents) assertUniqueIn(index, document, this.documents)
    this.indexes.push(index)
  }

  #assertUnique(document: Document, before?: Document): void {
    const others = this.documents.filter((each) => each !== before)
    for (const index of this.indexes) assertUniqueIn(index, document, others)
  }
}

function assertUniqueIn({ name, key, unique, partialFilterExpression }: Index, document: Document, all: Document[]) {
  if (!unique) return
  const isIndexed = (each: Document) => !partialFilterExpression || matches(each, partialFilterExpression)
  const keyIn = (each: Document) => keyOf(Object.keys(key).map((path) => valueAt(each, path) ?? null))
  const clash = all.some((each) => each !== document && isIndexed(each) && keyIn(each) === keyIn(document))
  // The message of a real server has the values too.
  if (isIndexed(document) && clash) {
    throw new Failure(11_000, `E11000 duplicate key error index: ${name} dup key: ${keyIn(document)}`)
  }
}

function modified(document: Document, update: Document): Document {
  const changed: Document = structuredCloneOf(document)
  for (const [operator, fields] of Object.entries(update)) {
    if (operator === "$set") for (const [path, value] of Object.entries<unknown>(fields)) setAt(changed, path, value)
    else throw unsupported(`the update ${operator}`)
  }
  return changed
}

/** Only `$replaceWith` of `$mergeObjects` of the document and a literal. */
function pipelined(document: Document, [stage, ...others]: Document[]): Document {
  const [root, literal] = (stage?.["$replaceWith"]?.["$mergeObjects"] ?? []) as unknown[]
  const fields: unknown = Reflect.get(Object(literal), "$literal")
  if (others.length > 0 || root !== "$$ROOT" || typeof fields !== "object") throw unsupported("this pipeline")
  return { ...document, ...fields }
}

function setAt(document: Document, path: string, value: unknown): void {
  const [name = "", ...rest] = path.split(".")
  if (rest.length === 0) document[name] = value
  else setAt((document[name] ??= {}), rest.join("."), value)
}

/** Copies objects on the way to nested fields, but not values such as dates. */
function structuredCloneOf(document: Document): Document {
  const entries = Object.entries(document).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? structuredCloneOf(value)
      : value,
  ])
  return Object.fromEntries(entries)
}
