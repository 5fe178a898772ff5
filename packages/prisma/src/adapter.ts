import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import {
  accountMethods,
  type Adapter,
  type AccountMethods,
  authenticatorMethods,
  authenticatorsIn,
  entitiesIn,
  sessionMethods,
  type SweepOptions,
  type Swept,
  tokenMethods,
  tokensIn,
  type UserMethods,
} from "@latchkey/core/adapters"
import type { RateLimitStore } from "@latchkey/core/types"
import { hasTransactions, isTransactionClient, type ModelNames, modelsOf, optionsFor } from "./client.js"
import { explain } from "./failures.js"
import { createRateLimitStore } from "./rate-limits.js"
import { createRecordStore, type HasRecords, recordsExist } from "./records.js"
import { accountOf, sessionOf } from "./rows.js"
import { sessionReader } from "./sessions.js"
import { createStore, rolledBack, type Store } from "./store.js"
import { sweep } from "./sweep.js"
import { tableIn, tokenTable } from "./application-table.js"
import { methodsForUsers } from "./users.js"

/** Options of {@link prisma}. */
export interface PrismaOptions {
  /** The names of your models on the client, such as `{ user: "member" }`. */
  readonly models?: ModelNames
  /**
   * Whether to use interactive transactions.
   *
   * @default true, except with Cloudflare D1 and better-sqlite3, whose transactions include the queries of other requests
   */
  readonly transactions?: boolean
}

type Always = keyof UserMethods | keyof AccountMethods

/**
 * An adapter over the models of Prisma. Its other methods depend on your schema:
 *
 * - those for sessions, tokens of email links, passkeys and `rateLimits` exist if there's a model for them,
 * - `describeSession` and `describeAuthenticator` if the model has a `String?` field `details`,
 * - `records` if there's a model for them and the client has interactive transactions,
 * - `transaction` if the client has interactive transactions.
 */
export interface PrismaSessionAdapter extends Required<Pick<Adapter, Always>>, Omit<Adapter, Always> {
  /** Counts sign-in attempts in the database, across all processes. Exists if there's a model `RateLimit`. */
  readonly rateLimits?: RateLimitStore | undefined
  /**
   * Deletes expired sessions, verification tokens, rate limits and records in batches, and returns their numbers. The engine ignores
   * expired rows, so this only frees space.
   *
   * @throws RangeError if `batchSize` isn't a positive integer
   */
  sweep(options?: SweepOptions): Promise<Swept>
}

const optionNames: EveryOption<PrismaOptions> = {
  models: {
    user: anything,
    account: anything,
    session: anything,
    verificationToken: anything,
    authenticator: anything,
    rateLimit: anything,
    record: anything,
  } satisfies EveryOption<ModelNames>,
  transactions: anything,
}

/**
 * Creates an adapter for a client of Prisma 6 or 7. The models are those of `@auth/prisma-adapter`.
 *
 * @throws TypeError if there is no such option
 * @throws Error if the client lacks the models `user` or `account`, or a model lacks a field
 * @example
 * ```ts
 * import { prisma } from "@latchkey/prisma"
 * // The client is an instance of `PrismaClient`, which `prisma generate` writes for your schema.
 * export const adapterFor = (client: object) => prisma(client)
 * ```
 */
export function prisma(client: object, options: PrismaOptions = {}): PrismaSessionAdapter {
  assertOptions("prisma", options, optionNames)
  const { models = {}, transactions = hasTransactions(client) } = options
  const store = createStore(modelsOf(client, models), transactions ? transactionsOf(client, models) : undefined)
  const { rateLimit, record } = store.models
  const hasRecords = recordsExist(store)
  return {
    ...methodsOf(store, hasRecords),
    ...(record && store.transact && { records: createRecordStore(store, record, store.transact) }),
    ...(rateLimit && { rateLimits: createRateLimitStore(store, rateLimit) }),
    sweep: async (sweepOptions) => sweep(store, await hasRecords.ask(), sweepOptions),
  }
}

/**
 * The same as {@link prisma}, under the name that `@auth/prisma-adapter` uses.
 *
 * @throws TypeError if there is no such option
 * @throws Error if the client lacks the models `user` or `account`, or a model lacks a field
 * @example
 * ```ts
 * import { PrismaAdapter } from "@latchkey/prisma"
 * export const adapterFor = (client: object) => PrismaAdapter(client)
 * ```
 */
export function PrismaAdapter(client: object, options: PrismaOptions = {}): PrismaSessionAdapter {
  return prisma(client, options)
}

function transactionsOf(client: object, names: ModelNames): Store["transact"] {
  if (!isTransactionClient(client)) return undefined
  return async (work) => {
    const outcome: { value?: Awaited<ReturnType<typeof work>>; error?: { readonly reason: unknown } } = {}
    try {
      await client.$transaction(async (inside) => {
        try {
          const failure = { isKnown: false }
          outcome.value = await work(createStore(modelsOf(inside, names), undefined, failure))
          // The database would roll back and report no error.
          if (failure.isKnown) throw rolledBack()
        } catch (reason) {
          outcome.error = { reason }
          throw reason
        }
      }, optionsFor(client))
    } catch (error) {
      throw outcome.error ? outcome.error.reason : explain(error)
    }
    // The callback has set it, or the transaction has failed.
    return outcome.value as Awaited<ReturnType<typeof work>>
  }
}

function methodsOf(
  store: Store,
  hasRecords: HasRecords,
): Omit<PrismaSessionAdapter, "rateLimits" | "records" | "sweep"> {
  const { account, session, verificationToken, authenticator } = store.models
  const { transact } = store
  const accounts = entitiesIn(tableIn(store, account), { decode: (row) => accountOf(account, row), rest: "extra" })
  return {
    ...methodsForUsers(store, hasRecords),
    ...accountMethods(accounts),
    ...(session && {
      ...sessionMethods(entitiesIn(tableIn(store, session), { decode: sessionOf })),
      getSessionAndUser: sessionReader(store, session),
    }),
    ...(verificationToken && tokenMethods(tokensIn(tokenTable(store, verificationToken)))),
    ...(authenticator && authenticatorMethods(authenticatorsIn(tableIn(store, authenticator)))),
    ...(transact && {
      transaction: async <T>(work: (adapter: Adapter) => Promise<T>) => {
        await hasRecords.ask()
        return transact((inside) => work(methodsOf(inside, hasRecords)))
      },
    }),
  }
}
