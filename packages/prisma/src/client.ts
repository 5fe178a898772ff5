import { neededColumns } from "@latchkey/core/adapters"

/** A value of Prisma's query language. */
export type Fields = Readonly<Record<string, unknown>>
export type Row = Readonly<Record<string, unknown>>

/** The methods of a model that this package uses. */
export interface Delegate {
  readonly fields: Readonly<Record<string, { readonly typeName: string } | undefined>>
  create(query: { readonly data: Fields }): PromiseLike<Row>
  findFirst(query: Query): PromiseLike<Row | null>
  findMany(query: Query): PromiseLike<Row[]>
  updateMany(query: { readonly where: Fields; readonly data: Fields }): PromiseLike<{ readonly count: number }>
  deleteMany(query: { readonly where: Fields }): PromiseLike<{ readonly count: number }>
}

export interface Query {
  readonly where: Fields
  readonly include?: Fields
  readonly select?: Fields
  readonly orderBy?: Fields
  readonly take?: number
}

/** The models of the adapter and, with a name of your own, those of your schema. */
export interface ModelNames {
  /** @default "user" */
  readonly user?: string | undefined
  /** @default "account" */
  readonly account?: string | undefined
  /** @default "session" */
  readonly session?: string | undefined
  /** @default "verificationToken" */
  readonly verificationToken?: string | undefined
  /** @default "authenticator" */
  readonly authenticator?: string | undefined
  /** @default "rateLimit" */
  readonly rateLimit?: string | undefined
  /** @default "latchkeyRecord" */
  readonly record?: string | undefined
}

export interface Models {
  readonly user: Delegate
  readonly account: Delegate
  readonly session: Delegate | undefined
  readonly verificationToken: Delegate | undefined
  readonly authenticator: Delegate | undefined
  readonly rateLimit: Delegate | undefined
  readonly record: Delegate | undefined
}

const required = { ...neededColumns, rateLimit: ["key", "points", "resets"] } as const

/** @throws Error if the client lacks a model, or a model lacks a field */
export function modelsOf(client: object, names: ModelNames): Models {
  const optional = (model: keyof typeof required) => delegateOf(client, model, names[model])
  const needed = (model: "user" | "account") => {
    const delegate = optional(model)
    if (delegate === undefined) {
      throw new Error(
        `The client has no model \`${names[model] ?? model}\`. Pass a client of Prisma with this model, or name yours in \`models\`.`,
      )
    }
    return delegate
  }
  return {
    user: needed("user"),
    account: needed("account"),
    session: optional("session"),
    verificationToken: optional("verificationToken"),
    authenticator: optional("authenticator"),
    rateLimit: optional("rateLimit"),
    record: optional("record"),
  }
}

function delegateOf(client: object, model: keyof typeof required, given: string | undefined): Delegate | undefined {
  const name = given ?? (model === "record" ? "latchkeyRecord" : model)
  const found: unknown = Reflect.get(client, name)
  if (!isDelegate(found)) {
    if (given === undefined) return undefined
    throw new Error(`The client has no model \`${name}\`. Correct its name in \`models\`.`)
  }
  const missing = required[model].find((field) => !(field in found.fields))
  // A model of the application for something else.
  if (missing !== undefined && given === undefined && model === "rateLimit") return undefined
  if (missing !== undefined) {
    throw new Error(`The model \`${name}\` has no field \`${missing}\`. Add it to your schema.`)
  }
  return found
}

function isDelegate(value: unknown): value is Delegate {
  return typeof Reflect.get(Object(value), "findMany") === "function"
}

/** Whether the model has a text field for JSON. */
export function hasText(model: Delegate, name: "details" | "extra"): boolean {
  return name in model.fields && typeOf(model, name) === "String"
}

export function typeOf(model: Delegate, name: string): string {
  return model.fields[name]?.typeName ?? "String"
}

export interface TransactionOptions {
  readonly isolationLevel: "ReadCommitted"
}

/** At the default of MySQL, a change by another process stays invisible after it was read once. */
export function optionsFor(client: object): TransactionOptions | undefined {
  return Reflect.get(client, "_activeProvider") === "mysql" ? { isolationLevel: "ReadCommitted" } : undefined
}

/** A client outside of a transaction. */
export interface TransactionClient {
  $transaction(work: (inside: object) => Promise<unknown>, options?: TransactionOptions): Promise<unknown>
}

/**
 * Whether a transaction keeps its writes apart. With D1, Prisma runs its queries one by one. With better-sqlite3, other queries use
 * the same connection, so that a rollback would also undo what the application writes meanwhile.
 */
export function hasTransactions(client: object): client is TransactionClient {
  return isTransactionClient(client) && !/d1|better-sqlite3/i.test(driverOf(client))
}

export function isTransactionClient(client: object): client is TransactionClient {
  return typeof Reflect.get(client, "$transaction") === "function"
}

/** The name of the driver adapter, or an empty text for the engine of Prisma 6. */
function driverOf(client: object): string {
  const config: unknown = Reflect.get(client, "_engineConfig")
  const adapter: unknown = Reflect.get(Object(config), "adapter")
  return String(Reflect.get(Object(adapter), "adapterName") ?? "")
}
