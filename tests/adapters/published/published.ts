import type { Adapter } from "@latchkey/core/adapters"

/** The adapter, and how to close its database. */
export interface Opened {
  readonly adapter: Adapter
  close(): Promise<void>
}

/** An adapter over one database: a row of the table in docs/evidence/adapters.md. */
export interface Entry {
  /** Name of the package. */
  readonly name: string
  readonly database: string
  /** Whether it's in this repository. */
  readonly isOurs?: boolean
  /** The server that it needs. Without one, it runs everywhere. */
  readonly needs?: "postgres" | "mariadb" | "redis" | "redisCluster"
  /** `false` if it can't be opened through a proxy. */
  readonly breaks?: false
  /** Whether its dates have seconds only. */
  readonly precision?: "seconds"
  /**
   * Opens the adapter over an empty database, with the tables of its documentation.
   *
   * @param route changes the URL of a server, to put a proxy in front
   */
  open(route: (url: string) => string): Promise<Opened>
}

/** The types of some packages differ from ours, although they have the same methods. */
export function adapterOf(value: unknown): Adapter {
  const needed = ["createUser", "getUser", "linkAccount", "createSession", "useVerificationToken"]
  const isAdapter = needed.every((name) => typeof Object(value)[name] === "function")
  if (!isAdapter) throw new Error("This isn't an adapter")
  return value as Adapter
}
