// Several sign-ins at once, in every order that a scheduler finds, over a store that may fail. A tenth of FUZZ_RUNS is
// the number of histories: 200, and 1,000 in the project `long` of vitest. To see a failure again, take the seed and the
// path that fast-check prints as FUZZ_SEED and FUZZ_PATH.
import fc from "fast-check"
import { afterAll, expect, inject, test } from "vitest"
import { whoIs } from "../../packages/core/test/modes/setup.js"
import { newDatabase } from "../../packages/sql/test/databases.js"
import { type History, history } from "./history.js"
import { interleaving } from "./interleave.js"
import { broken, rowOf } from "./invariants.js"
import { type Given, type Players, playersOf } from "./players.js"
import { type Database, openStore, postgresDatabase, type Rows, sqliteDatabase } from "./stores.js"

const runs = Math.ceil(Number(process.env["FUZZ_RUNS"] || 2000) / 10)
const overPostgres = Math.ceil(runs / 10)

/** The id of the user that the tables have for a proof. `undefined` if the user was deleted. */
function ownerOf({ proof }: Given, { users, accounts }: Rows): string | undefined {
  if (proof.kind === "mailbox") return users.find(({ email }) => email === proof.email)?.id
  const isIt = ({ provider, provider_account_id: id }: Rows["accounts"][number]) =>
    provider === proof.provider && id === proof.id
  return accounts.find(isIt)?.user_id
}

/** Sessions of another user than the one that the proof belongs to. */
function stolen({ given }: Pick<Players, "given">, rows: Rows): readonly string[] {
  return given.flatMap((each) => {
    const row = rowOf(each.browser, rows)
    const owner = ownerOf(each, rows)
    return row === undefined || row.user_id === owner
      ? []
      : [`${JSON.stringify(each.proof)} got ${row.user_id}, not ${owner}`]
  })
}

async function play(database: Database, store: ReturnType<typeof openStore>, its: History, scheduler: fc.Scheduler) {
  await database.clear()
  const turns = interleaving(store, scheduler, its.faults)
  const players = await playersOf(its, store, turns.adapter)
  for (const deed of its.before) await players.act(deed)
  await turns.run(its.deeds.map((deed) => () => players.act(deed)))
  return { players, turns }
}

async function check(database: Database, store: ReturnType<typeof openStore>, its: History, scheduler: fc.Scheduler) {
  const { players } = await play(database, store, its, scheduler)
  const rows = await database.rows()
  expect([...broken(rows), ...stolen(players, rows)]).toEqual([])
  expect([...players.linkUses.values()].filter((uses) => uses > 1)).toEqual([])
  // A user who proves the mailbox can always sign in.
  const ada = players.site.browser.fresh()
  await ada.signIn("mail", { email: "ada@example.test" })
  await ada.get(players.site.links.at(-1) ?? "/")
  expect(await whoIs(ada)).toBe("ada@example.test")
}

async function explore(database: Database, numRuns: number): Promise<void> {
  const store = openStore(database)
  try {
    const property = fc.asyncProperty(history, fc.scheduler(), (its, scheduler) =>
      check(database, store, its, scheduler),
    )
    await fc.assert(property, { numRuns, ...replay() })
  } finally {
    await store.close()
  }
}

/** A fixed seed, so that a change in the result comes from a change in the code. */
function replay(): { seed: number; path?: string } {
  const { FUZZ_SEED: seed = 20_261, FUZZ_PATH: path } = process.env
  return { seed: Number(seed), ...(path !== undefined && { path }) }
}

const file = await sqliteDatabase()
afterAll(() => file.close())

test(`${runs} histories over SQLite leave consistent tables`, { timeout: 1_800_000 }, () => explore(file, runs))

test.skipIf(inject("postgres") === undefined)(
  `${overPostgres} histories over PostgreSQL leave consistent tables`,
  { timeout: 1_800_000 },
  async () => {
    const database = await postgresDatabase(await newDatabase("crash_histories"))
    await explore(database, overPostgres)
    await database.close()
  },
)

test("the same seed makes the same history", async () => {
  const store = openStore(file)
  const traces: string[] = []
  // The first run also generates the keys of the providers.
  for (let time = 0; time < 3; time++) {
    const seen: string[] = []
    const property = fc.asyncProperty(history, fc.scheduler(), async (its, scheduler) => {
      seen.push((await play(file, store, its, scheduler)).turns.trace.join(" "))
    })
    await fc.assert(property, { seed: replay().seed, numRuns: 15 })
    traces.push(seen.join("\n"))
  }
  expect(traces[1]).toBe(traces[2])
  await store.close()
})
