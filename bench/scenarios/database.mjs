import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { get, Jar } from "../browser.mjs"
import { ada, basePath, configWith, sessionCookie } from "../fixtures.mjs"
import { inFlight } from "../measure.mjs"
import { authCore } from "../peers/auth-core.mjs"
import { memoryAdapter } from "../peers/latchkey.mjs"
import { checkAda } from "./session.mjs"

const path = `${basePath}/session`
const month = 30 * 86_400_000
const userCount = 100

/** Replaces `@latchkey/adapter-kit` while it isn't built. */
function plainMap() {
  const users = new Map()
  const sessions = new Map()
  return {
    createUser: async (user) => users.set(user.id, user).get(user.id),
    createSession: async (session) => sessions.set(session.sessionToken, session).get(session.sessionToken),
    getSessionAndUser: async (token) => {
      const session = sessions.get(token)
      return session === undefined ? null : { session, user: users.get(session.userId) }
    },
    updateSession: async (session) => Object.assign(sessions.get(session.sessionToken), session),
    deleteSession: async (token) => void sessions.delete(token),
    ...Object.fromEntries(
      ["getUser", "getUserByEmail", "getUserByAccount", "updateUser", "linkAccount"].map((name) => [
        name,
        async () => null,
      ]),
    ),
  }
}

/** Creates a hundred users with one session each. @returns the token of the last one, Ada */
async function fill(adapter) {
  for (let number = 1; number < userCount; number++) {
    await addUser(adapter, { ...ada, id: randomUUID(), email: `user-${number}@example.test` })
  }
  return addUser(adapter, { ...ada })
}

async function addUser(adapter, data) {
  const user = await adapter.createUser({ ...data, emailVerified: null })
  const sessionToken = randomUUID()
  await adapter.createSession({ sessionToken, userId: user.id, expires: new Date(Date.now() + month) })
  return sessionToken
}

async function storedTask(engine, adapter, token) {
  const config = configWith({ adapter, session: { strategy: "database" } })
  const answer = engine.answer(config)
  const jar = new Jar()
  jar.take(await answer(get(`${basePath}/csrf`)))
  const { header } = jar.put(sessionCookie, token)
  return {
    async check() {
      checkAda(await (await answer(get(path, header))).json())
      assert.equal(await (await answer(get(path, `${sessionCookie}=${randomUUID()}`))).json(), null)
    },
    input: () => get(path, header),
    run: answer,
    accept: (response) => response.status === 200,
  }
}

/** One adapter object for all engines but the limit. */
async function memoryTask(engine, world) {
  if (engine.memory !== undefined) {
    const adapter = engine.memory()
    return storedTask(engine, adapter, await fill(adapter))
  }
  world.memory ??= (await memoryAdapter()) ?? plainMap()
  world.memoryToken ??= await fill(world.memory)
  return storedTask(engine, world.memory, world.memoryToken)
}

/** Each engine uses the adapter that `adapterOver` makes, on its own tables with the same users. */
const postgresTask = (adapterOver, more) => async (engine, world) => {
  if (world.pool === undefined) return undefined
  const pool = await world.pool(`of_${engine.name.replaceAll(/\W/g, "_")}`)
  const adapter = await adapterOver(engine, pool)
  if (adapter === undefined) return pool.end()
  const token = await fill(adapter)
  const task = { ...(await storedTask(engine, adapter, token)), end: () => pool.end() }
  return more === undefined ? task : inFlight(task, more)
}

/** The one that its users would choose. */
const ownAdapter = (engine, pool) => engine.postgres(pool)

async function adapterOfAuthJs(engine, pool) {
  const adapter = await authCore.postgres(pool)
  return engine.overAdapter?.(adapter) ?? adapter
}

const postgres = [
  { id: "", adapter: "own adapter", adapterOver: ownAdapter, target: 1.2 },
  { id: "-pg-adapter", adapter: "@auth/pg-adapter", adapterOver: adapterOfAuthJs, target: 1.15 },
]

export const databaseScenarios = [
  { id: "database-memory", title: "database session over memory", target: 1.4, task: memoryTask },
  ...postgres.flatMap(({ id, adapter, adapterOver, target }) => [
    {
      id: `database-postgres${id}`,
      title: `database session over PostgreSQL, ${adapter}`,
      target,
      task: postgresTask(adapterOver),
    },
    {
      id: `database-postgres${id}-32`,
      title: `32 in flight over PostgreSQL, ${adapter}`,
      target,
      task: postgresTask(adapterOver, 32),
    },
  ]),
]
