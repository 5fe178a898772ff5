// The store fails or hangs at each of its calls, before or after the call takes effect. In kills.ts the process dies
// there. Nothing lists the calls: each step of steps.ts runs once to count them, so a call that the engine adds later is
// tested too. While the store hangs, the tables hold what a process that dies there would leave behind. Providers report
// unverified email addresses, so that a user without an account stands out as an orphan.
import { afterAll, beforeEach, describe, inject, test } from "vitest"
import { newDatabase } from "../../packages/sql/test/databases.js"
import { fail, hang, type Point, pointsOf, titleOf } from "./cases.js"
import { type Database, openStore, postgresDatabase, sqliteDatabase } from "./stores.js"

/** Selects half of the settings over SQLite and a quarter over PostgreSQL, which is slower. */
export function isQuick(kind: Database["kind"], { setting: { mode, strategy } }: Point): boolean {
  return mode === "strict" ? strategy === "database" : strategy === "jwt" && kind === "SQLite"
}

/** Registers two tests for each chosen call: the store fails there, and it hangs there. */
export async function breakStores(
  name: string,
  isChosen: (kind: Database["kind"], point: Point) => boolean,
): Promise<void> {
  const file = await sqliteDatabase()
  const points = await pointsOf(file)
  const databases: Database[] = [file]
  if (inject("postgres") !== undefined) databases.push(await postgresDatabase(await newDatabase(name)))

  for (const database of databases) {
    const own = points.filter((point) => isChosen(database.kind, point))
    if (own.length === 0) {
      await database.close()
      continue
    }

    describe(`over ${database.kind}`, () => {
      const store = openStore(database)

      beforeEach(() => database.clear())

      afterAll(async () => {
        await store.close()
        await database.close()
      })

      for (const point of own) {
        test(`a fault at ${titleOf(point)} leaves nothing half done`, () => fail(database, store, point))
        test(`a hang at ${titleOf(point)} leaves nothing half done`, () => hang(database, store, point))
      }
    })
  }
}
