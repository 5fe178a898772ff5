import { type MemoryAdapter, memoryAdapter, type Rows } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import type { Browser } from "@latchkey/testing"
import { whoIs } from "../../packages/core/test/modes/setup.js"
import { around } from "./faulty.js"
import { emailOf, type Finish, type Flow, name, ofUser, type Process, processOver, userIn } from "./flows.js"
import { signal } from "../signal.js"
import { errorOf, type Setting } from "./site.js"

export interface Circumstances extends Setting {
  readonly hasTransactions: boolean
}

/** Two processes over one database in memory. */
export interface World {
  readonly processes: readonly [Process, Process]
  /** Replaces the database. */
  use(store: MemoryAdapter): void
  /**
   * The first process calls `act` before its call number `at` to the database. Counts from zero again. A transaction is one call: it
   * excludes other processes.
   */
  interrupt(at?: number, act?: Finish): void
  /** Called when the second process waits for others. Goes on when the result resolves. */
  onSleep(act: () => Promise<void>): void
}

export async function worldOf({ hasTransactions, ...setting }: Circumstances): Promise<World> {
  let store = memoryAdapter()
  let [calls, isInside] = [0, false]
  let interruption: { readonly at: number; readonly act: Finish } | undefined
  let wait = () => Promise.resolve()
  const current = over(() => store, hasTransactions)
  const interrupted = around(current, async (method, run) => {
    if (isInside) return run()
    if (calls++ === interruption?.at) await interruption.act()
    isInside = method === "transaction"
    try {
      return await run()
    } finally {
      isInside = false
    }
  })
  const first = await processOver(interrupted, setting)
  const { authenticator } = first
  return {
    processes: [first, await processOver(current, setting, { authenticator, sleep: () => wait() })],
    onSleep: (act) => {
      wait = act
    },
    use: (other) => {
      store = other
    },
    interrupt: (at, act) => {
      calls = 0
      interruption = at === undefined || act === undefined ? undefined : { at, act }
    },
  }
}

/** An application keeps the methods of its adapter, so each of them looks for the database of the moment. */
function over(store: () => MemoryAdapter, hasTransactions: boolean): Adapter {
  const call =
    (method: string) =>
    (...args: unknown[]) =>
      Reflect.apply(Reflect.get(store(), method), store(), args)
  const { records: _records, ...all } = store()
  const methods = Object.keys(all).filter((method) => hasTransactions || method !== "transaction")
  return {
    ...Object.fromEntries(methods.map((method) => [method, call(method)])),
    get records() {
      return store().records
    },
  }
}

/** What is stored before two flows start, and the cookies of their browsers. */
export interface Scene {
  readonly rows: Rows
  readonly cookies: readonly Browser["cookies"][]
}

export async function sceneOf(world: World, flows: readonly Flow[]): Promise<Scene> {
  const store = memoryAdapter()
  world.use(store)
  const browsers = flows === ofUser ? await userIn(world.processes[0]) : []
  return { rows: store.rows(), cookies: browsers.map(({ cookies }) => cookies) }
}

async function restored({ users, accounts, sessions, authenticators }: Rows): Promise<MemoryAdapter> {
  const store = memoryAdapter()
  for (const user of users) await store.createUser(user)
  for (const account of accounts) await store.linkAccount(account)
  for (const session of sessions) await store.createSession(session)
  for (const authenticator of authenticators) await store.createAuthenticator(authenticator)
  return store
}

export interface Outcome {
  /** Who is signed in, in the browser of each flow. */
  readonly signedIn: readonly unknown[]
  readonly users: readonly string[]
  readonly accounts: readonly string[]
  readonly passkeys: readonly string[]
  readonly sessions: readonly string[]
}

export interface Played {
  readonly outcome: Outcome
  readonly errors: readonly (string | null)[]
  readonly statuses: readonly number[]
}

export type Pair = readonly [Flow, Flow]

/** Starts both flows, each in a process and a browser of its own, and lets `finish` finish them. */
export async function play(
  world: World,
  { rows, cookies }: Scene,
  pair: Pair,
  finish: (one: Finish, other: Finish) => Promise<unknown>,
): Promise<Played> {
  const store = await restored(rows)
  world.use(store)
  world.interrupt()
  world.onSleep(() => Promise.resolve())
  const begin = async (flow: Flow, at: 0 | 1) => {
    const process = world.processes[at]
    const tab = process.visitor.fresh()
    for (const cookie of flow.isSignedIn ? (cookies[at] ?? []) : []) tab.jar.put(cookie)
    return { tab, finish: await flow.start(process, tab, name) }
  }
  const [one, other] = [await begin(pair[0], 0), await begin(pair[1], 1)]
  world.interrupt()
  await finish(one.finish, other.finish)
  const tabs = [one.tab, other.tab]
  const answers = { errors: tabs.map(errorOf), statuses: tabs.map(({ response }) => response.status) }
  const signedIn = [await whoIs(one.tab), await whoIs(other.tab)]
  return { ...answers, outcome: { signedIn, ...tablesOf(rows, store.rows()) } }
}

/** Ids are random, so users are those from before or new ones. */
function tablesOf(before: Rows, after: Rows): Omit<Outcome, "signedIn"> {
  const known = new Set(before.users.map(({ id }) => id))
  const ownerOf = ({ userId }: { readonly userId: string }) => (known.has(userId) ? "known" : "new")
  return {
    users: after.users
      .map(({ id, email, emailVerified }) => `${ownerOf({ userId: id })} ${email} ${emailVerified !== null}`)
      .toSorted(),
    accounts: after.accounts
      .map((row) => `${row.provider} ${row.provider === "passkey" ? "" : row.providerAccountId} ${ownerOf(row)}`)
      .toSorted(),
    passkeys: after.authenticators.map(ownerOf).toSorted(),
    sessions: after.sessions.map(ownerOf).toSorted(),
  }
}

/** What two flows may come to besides what they do one after the other. */
interface Exception {
  readonly one: RegExp
  readonly other: RegExp
  readonly isIt: (played: Played) => boolean
}

const hasError =
  (...codes: readonly string[]) =>
  ({ errors }: Played) =>
    errors.every((error) => error === null || codes.includes(error))

const exceptions: readonly Exception[] = [
  // A link that was opened before the links of the email were deleted makes a user, as with an adapter that can't delete them.
  {
    one: /^an email link$/,
    other: /^a (?:change of email|deletion)$/,
    isIt: (played) => hasError()(played) && played.outcome.users.includes(`new ${emailOf(name)} true`),
  },
  // A link that was used up before the links of the user ended signs in, like every sign-in that is under way.
  {
    one: /^an email link$/,
    other: /^a sign-out everywhere$/,
    isIt: (played) => hasError()(played) && played.outcome.sessions.join() === "known",
  },
  // An account is only linked if the email of the user is the same before and after.
  { one: /^a (?:link\b|new passkey)/, other: /^a change of email$/, isIt: hasError("AccessDenied") },
  // The user whom `authorize` returned is gone, as if it returned one that was never stored.
  { one: /^a password$/, other: /^a deletion$/, isIt: hasError("Configuration") },
]

/** Lets the second flow run to its end before each call of the first, and lists what isn't as in sequence. */
export async function surprises(world: World, scene: Scene, pair: Pair): Promise<readonly unknown[]> {
  const before = await play(world, scene, pair, async (one, other) => {
    await one()
    await other()
  })
  const after = await play(world, scene, pair, async (one, other) => {
    await other()
    await one()
  })
  const expected = [before, after].map(({ outcome }) => JSON.stringify(outcome))
  const isExpected = ({ outcome, statuses }: Played) =>
    expected.includes(JSON.stringify(outcome)) && statuses.every((status) => status < 500)
  const found: unknown[] = []
  // Before the first call, it's as in sequence.
  const last = { isReached: true }
  for (let at = 1; last.isReached; at++) {
    const played = await play(world, scene, pair, async (one, other) => {
      last.isReached = await interrupted(world, at, one, other)
    })
    if (!isExpected(played) && !isException(pair, played))
      found.push({ other: pair[1].title, at, played, before, after })
  }
  return found
}

/**
 * The second flow runs to its end, or until it waits for the first.
 *
 * @returns `false`: the first ended with fewer calls
 */
async function interrupted(world: World, at: number, one: Finish, other: Finish): Promise<boolean> {
  const [asleep, awake] = [signal(), signal()]
  world.onSleep(() => {
    asleep.send()
    return awake.sent
  })
  let rest: Promise<unknown> | undefined
  world.interrupt(at, () => {
    rest = other()
    return Promise.race([rest, asleep.sent])
  })
  await one()
  world.interrupt()
  awake.send()
  await (rest ?? other())
  return rest !== undefined
}

function isException([{ title: one }, { title: other }]: Pair, played: Played): boolean {
  return exceptions.some(
    (each) =>
      ((each.one.test(one) && each.other.test(other)) || (each.one.test(other) && each.other.test(one))) &&
      each.isIt(played),
  )
}
