import type { Adapter } from "@latchkey/core/adapters"
import type { Server } from "@latchkey/core/server"
import type { AuthConfig, Module } from "@latchkey/core/types"
import type { Browser, Fields } from "../browser/model.js"

/** The module that is tested, and how a user sets it up. */
export interface ModuleSubject {
  /** Creates the module. Called for each process and each application. */
  create(): Module
  /** Creates an empty adapter with records, such as `memoryAdapter` of `@latchkey/adapter-kit`. Called for each application. */
  adapter(): Adapter | PromiseLike<Adapter>
  /**
   * Sets the module up for a user, as the user does it. Finds what it needs on pages by names of forms and fields, because the
   * pages are in several languages. Throws if it doesn't work.
   *
   * @default nothing: a sign-in is enough
   */
  enroll?(user: Enrolling): Promise<Enrolled>
  /** More of the configuration, such as an email provider, or the modules that this one needs. */
  readonly config?: Partial<AuthConfig>
  /** The reason for which `revoke` ends everything that the module issued. @default none */
  readonly revokeReason?: string
}

/** A user who sets the module up. */
export interface Enrolling {
  readonly userId: string
  /** The user has just signed in here. */
  readonly browser: Browser
  /** The server of the application, with `members`. */
  readonly server: Server
  /** Milliseconds since 1970, as the module sees it. */
  now(): number
}

/** A user who has set the module up. */
export interface Enrolled {
  /** The fields of a right answer to the factor. A minute has passed since the one before. */
  answer?(): Fields | Promise<Fields>
  /** Whether what the module issued to the user still works, such as an API key. @default with a factor: a sign-in is held */
  works?(): Promise<boolean>
  /** What only the user may see, besides sealed fields and answers. At least 6 characters each. */
  readonly secrets?: readonly string[]
}

/** One test of the contract of modules. */
export interface ModuleCase {
  /** Stable id, for `skip`. */
  readonly id: string
  /** Title of the test: a sentence. */
  readonly name: string
  /** Resolves if the module passes. Otherwise rejects with a `BrokenModule`. */
  run(subject: ModuleSubject): Promise<void>
}

/** The module violates its contract. The message has the requirement and what the module did instead. */
export class BrokenModule extends Error {
  override readonly name = "BrokenModule"
}

export function fail(requirement: string, got: string, cause?: unknown): never {
  throw new BrokenModule(`${requirement}: got ${got}`, cause === undefined ? undefined : { cause })
}
