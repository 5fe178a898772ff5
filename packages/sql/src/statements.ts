import type { CompiledQuery, Kysely } from "kysely"
import type { Sql } from "./flavors/sql.js"

/** Compiles each statement once. Its parameters are values of no meaning, which each run replaces. */
export class Statements {
  readonly #db: Kysely<unknown>
  readonly #compiled = new Map<string, CompiledQuery>()

  constructor(db: Kysely<unknown>) {
    this.#db = db
  }

  /** @param key different for each statement of a layout */
  query(key: string, build: () => Sql, parameters: readonly unknown[]): CompiledQuery {
    let compiled = this.#compiled.get(key)
    if (!compiled) {
      compiled = build().compile(this.#db)
      this.#compiled.set(key, compiled)
    }
    return { ...compiled, parameters }
  }

  forget(): void {
    this.#compiled.clear()
  }
}
