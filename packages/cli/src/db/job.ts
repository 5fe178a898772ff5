import type { ConfigurationJob } from "../doctor/configuration.js"
import type { FirebaseParameters } from "../import/firebase.js"
import type { ListedKey } from "../import/members.js"
import type { LuciaNames } from "../move/lucia.js"
import type { Moved } from "../move/write.js"

/** Where the adapter comes from. */
export type Source =
  | ({ readonly kind: "configuration"; readonly shown: string } & ConfigurationJob)
  | ({ readonly kind: "url"; readonly root: string; readonly url: string } & UrlOptions)

/** Options of `@latchkey/sql` for an adapter that isn't in a configuration. */
export interface UrlOptions {
  readonly prefix?: string
  readonly layout?: string
}

export type Order =
  | { readonly kind: "plan" }
  | { readonly kind: "migrate" }
  | { readonly kind: "check" }
  | { readonly kind: "sweep"; readonly options: SweepOrder }
  | { readonly kind: "reseal"; readonly check: boolean }
  | ImportOrder
  | MoveOrder
  | ApiKeysOrder

export type ApiKeysOrder =
  /** The keys of a user, by email or id. */
  | { readonly kind: "api-keys"; readonly action: "list"; readonly user: string }
  | { readonly kind: "api-keys"; readonly action: "revoke"; readonly keyIds: readonly string[] }

export interface MoveOrder {
  readonly kind: "move"
  readonly library: "better-auth" | "lucia"
  /** The database of the other library. */
  readonly from: string
  readonly isDryRun: boolean
  readonly movesSessions: boolean
  /** Ids of providers here, by those in the other library. */
  readonly providers: Readonly<Record<string, string>>
  readonly lucia: LuciaNames
}

export interface ImportOrder {
  readonly kind: "import"
  /** The absolute path. */
  readonly file: string
  readonly isDryRun: boolean
  readonly createsUsers: boolean
  readonly overwrites: boolean
  /** The other system has verified every email of the file. */
  readonly isVerified: boolean
  readonly firebase: FirebaseParameters | undefined
}

export interface SweepOrder {
  readonly before?: Date
  readonly batchSize: number
  /** Milliseconds between two batches. */
  readonly pauseMs: number
}

/** The input of the process that uses the adapter. */
export interface DatabaseJob {
  readonly source: Source
  readonly order: Order
}

export interface Problem {
  readonly level: "error" | "warning"
  readonly problem: string
  readonly fix: string
}

export interface Batch {
  readonly table: string
  readonly rows: number
}

/** The numbers of deleted rows by table. */
export type Deleted = Readonly<Record<string, number>>

/** What happened to the users of a file. */
export interface Imported {
  readonly counts: {
    readonly imported: number
    /** Users that were created, with a password. */
    readonly created: number
    /** They had a password. */
    readonly kept: number
    /** There is no such user. */
    readonly missing: number
    readonly withoutPassword: number
  }
  /** How many of those that were imported have each format. */
  readonly formats: Readonly<Record<string, number>>
  /** `lines` has the first of them. */
  readonly refused: readonly { readonly reason: string; readonly count: number; readonly lines: readonly number[] }[]
}

export type Result =
  | ({ readonly kind: "imported" } & Imported)
  | ({ readonly kind: "moved" } & Moved)
  | { readonly kind: "api-keys"; readonly keys: readonly ListedKey[] }
  | { readonly kind: "revoked-keys"; readonly revoked: readonly string[] }
  | { readonly kind: "statements"; readonly statements: readonly string[]; readonly newDatabase: string | undefined }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  | { readonly kind: "deleted"; readonly deleted: Deleted; readonly isStopped: boolean }
  | { readonly kind: "resealed"; readonly outdated: number; readonly unreadable: number }
  | { readonly kind: "failed"; readonly reason: string }

/** What the process sends: `opened` when it has the adapter, batches while it sweeps, and one result at the end. */
export type Message = { readonly kind: "opened" } | ({ readonly kind: "batch" } & Batch) | Result
