import { afterAll, beforeEach, describe, expect, inject, test } from "vitest"
import { newDatabase } from "../../packages/sql/test/databases.js"
import { expectRetry, expectWhole, type Point, pointsOf, stepOf, titleOf } from "./cases.js"
import { exitCode, type Processes, processes, type Task } from "./processes.js"
import { belongingsOf, sessionCookie, siteOf } from "./site.js"
import { type Database, openStore, postgresDatabase, sqliteDatabase } from "./stores.js"

/** A death in a read is the same as one before the next write. A sealed session that nothing can revoke has no row. */
const isWorthwhile = ({ method, setting: { mode, strategy } }: Point) =>
  !/^(?:get|list)/.test(method) && (mode === "strict" || strategy === "database")

const chosen: Readonly<Record<Database["kind"], (point: Point) => boolean>> = {
  SQLite: isWorthwhile,
  PostgreSQL: (point) =>
    isWorthwhile(point) && point.setting.mode === "strict" && point.setting.strategy === "database",
}

/** Registers a test for each chosen place, by its number, to kill a process. */
export async function killProcesses(name: string, isChosen: (at: number) => boolean): Promise<void> {
  const children = processes()
  const file = await sqliteDatabase()
  const points = await pointsOf(file)
  const databases: Database[] = [file]
  if (inject("postgres") !== undefined) databases.push(await postgresDatabase(await newDatabase(name)))

  for (const database of databases) {
    describe(`over ${database.kind}`, () => {
      beforeEach(() => database.clear())
      afterAll(() => database.close())

      for (const [at, point] of points.filter(chosen[database.kind]).entries()) {
        if (!isChosen(at)) continue
        const way = at % 4 < 2 ? "kill" : "exit"
        test(`after ${way === "kill" ? "a kill" : "an exit"} at ${titleOf(point)} a new process goes on`, async () => {
          await die(database, point, way, children)
        })
      }
    })
  }

  afterAll(() => children.stop())
}

async function die(database: Database, point: Point, way: Task["way"], children: Processes): Promise<void> {
  const step = stepOf(point)
  const store = openStore(database)
  const site = await siteOf(point.setting, store)
  await step.before?.(site)
  const had = belongingsOf(site)
  // Only the process that dies may have the store open.
  await store.close()
  const { kind, address } = database
  const { code, signal, errors } = await children.run({ ...point, way, had, database: { kind, address } })
  expect([code, signal, errors]).toEqual(way === "exit" ? [exitCode, null, ""] : [null, "SIGKILL", ""])
  await database.released()
  const fresh = openStore(database)
  try {
    const after = await siteOf(point.setting, fresh, { had })
    await expectWhole(database, after, sessionCookie(after.browser))
    await expectRetry(database, after, step, false)
  } finally {
    await fresh.close()
  }
}
