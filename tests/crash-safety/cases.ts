import { expect } from "vitest"
import { whoIs } from "../../packages/core/test/modes/setup.js"
import { faulty, hanging, loseConnection, type Moment } from "./faulty.js"
import { broken, isEmpty } from "./invariants.js"
import { errorOf, type Setting, sessionCookie, settings, type Site, siteOf } from "./site.js"
import { type Step, steps, stepsIn, uses } from "./steps.js"
import { type Database, openStore } from "./stores.js"

/** A call to the store that a step makes, and a moment before or after it. */
export interface Point {
  readonly setting: Setting
  readonly name: string
  readonly at: number
  readonly method: string
  readonly moment: Moment
}

export const titleOf = ({ setting: { mode, strategy }, name, at, method, moment }: Point): string =>
  `[${mode}, ${strategy}] ${name}, call ${at + 1} (${method}) ${moment} it took effect`

/** Runs every step once and collects the calls that it makes to the store. */
export async function pointsOf(database: Database): Promise<readonly Point[]> {
  const points: Point[] = []
  const store = openStore(database)
  for (const setting of settings) {
    for (const [name, step] of stepsIn(setting)) {
      await database.clear()
      const broken = faulty(store)
      const site = await siteOf(setting, store, { engine: broken.adapter })
      await step.before?.(site)
      broken.watch()
      await step.run(site)
      for (const [at, method] of broken.calls.entries())
        points.push({ setting, name, at, method, moment: "before" }, { setting, name, at, method, moment: "after" })
    }
  }
  await store.close()
  return points
}

export function stepOf({ name }: Pick<Point, "name">): Step {
  const step = steps[name]
  if (step === undefined) throw new Error(`There is no step "${name}"`)
  return step
}

/** Checks what must hold right after a fault: consistent tables, and no session cookie without a session. */
export async function expectWhole(database: Database, site: Site, before: string | undefined): Promise<void> {
  const rows = await database.rows()
  expect(broken(rows)).toEqual([])
  if (sessionCookie(site.browser) !== before) expect(isEmpty(site.browser, site.setting, rows)).toBe(false)
}

/** Checks that the user succeeds on a second try, and that no link signs in twice. */
export async function expectRetry(database: Database, site: Site, step: Step, wasLinkUsed: boolean): Promise<void> {
  await (step.retry ?? step.run)(site)
  expect([await whoIs(site.browser), errorOf(site.browser)]).toEqual([step.who, null])
  await expectWhole(database, site, undefined)
  const { users, accounts } = await database.rows()
  const expected = typeof step.accounts === "number" ? step.accounts : step.accounts(site.setting)
  expect([users.length, accounts.length]).toEqual([step.users, expected])
  // The last link was opened. An earlier link still works if the fault kept it from signing in.
  const found = await uses(site)
  const allowed = found.map((_, at) => (at === found.length - 1 || wasLinkUsed ? 0 : 1))
  expect(found.filter((count, at) => count > (allowed[at] ?? 0))).toEqual([])
}

/** The store fails at this call. */
export async function fail(database: Database, store: ReturnType<typeof openStore>, point: Point): Promise<void> {
  const step = stepOf(point)
  const faults = faulty(store)
  const site = await siteOf(point.setting, store, { engine: faults.adapter })
  await step.before?.(site)
  const before = sessionCookie(site.browser)
  faults.watch({ ...point, act: loseConnection })
  await step.run(site)
  expect(faults.hit()).toBe(true)
  await expectWhole(database, site, before)
  await expectSignedOut(database, site, step)
  faults.watch()
  await expectRetry(database, site, step, sessionCookie(site.browser) !== before)
}

/** The store does not answer this call until the connection breaks. */
export async function hang(database: Database, store: ReturnType<typeof openStore>, point: Point): Promise<void> {
  const step = stepOf(point)
  const faults = faulty(store)
  const site = await siteOf(point.setting, store, { engine: faults.adapter })
  await step.before?.(site)
  const before = sessionCookie(site.browser)
  const { act, reached, giveUp } = hanging()
  faults.watch({ ...point, act })
  const running = step.run(site)
  try {
    await reached
    await expectWhole(database, site, before)
    expect(sessionCookie(site.browser)).toBe(before)
  } finally {
    giveUp()
    await running
  }
  await expectWhole(database, site, before)
  await expectSignedOut(database, site, step)
  faults.watch()
  await expectRetry(database, site, step, sessionCookie(site.browser) !== before)
}

/** A sign-out without an error has ended the session. */
async function expectSignedOut(database: Database, { browser }: Site, { who }: Step): Promise<void> {
  if (who !== null) return
  expect(sessionCookie(browser)).toBeUndefined()
  if (errorOf(browser) === null) expect((await database.rows()).sessions).toEqual([])
}
