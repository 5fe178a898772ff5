import assert from "node:assert/strict"
import pg from "pg"
import { createClient } from "redis"
import { get, Jar, postForm } from "../browser.mjs"
import { fakeProvider } from "../fake-provider.mjs"
import { ada, basePath, configWith, origin, sessionCookie } from "../fixtures.mjs"
import { authCore } from "../peers/auth-core.mjs"
import { latchkey } from "../peers/latchkey.mjs"
import { createTables, withClient } from "./load.mjs"
import { peers } from "./peers.mjs"

/** Requests to the databases, of which each waits for its response. */
const counts = { sql: 0, redis: 0 }

/** Counts every statement, `begin` and `commit` included, while `work` runs. */
async function counting(work) {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (...args) {
    counts.sql++
    return Reflect.apply(query, this, args)
  }
  try {
    return await work()
  } finally {
    pg.Client.prototype.query = query
  }
}

function countingClient(client) {
  const counted =
    (name) =>
    (...args) => {
      counts.redis++
      return client[name](...args)
    }
  return Object.fromEntries(["get", "eval", "evalSha"].map((name) => [name, counted(name)]))
}

/** What a user does, in requests of a browser. */
function userOf(engine, adapter) {
  const provider = fakeProvider()
  const { issuer, client, fetch, authorize } = provider
  const op = {
    id: "op",
    name: "OP",
    type: "oidc",
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    [engine.customFetch]: fetch,
  }
  const config = configWith({ adapter, providers: [op], session: { strategy: "database" } })
  const answer = engine.answer(config)
  let jar = new Jar()
  const csrf = async () => (await jar.take(await answer(get(`${basePath}/csrf`, jar.header))).json()).csrfToken
  return {
    async signIn() {
      jar = new Jar()
      const sent = await answer(postForm(`${basePath}/signin/op`, { csrfToken: await csrf() }, jar.header))
      const url = authorize(jar.take(sent).headers.get("location"))
      jar.take(await answer(get(url.slice(origin.length), jar.header)))
      assert(jar.has(sessionCookie), "The sign-in failed")
    },
    async read() {
      const session = await (await answer(get(`${basePath}/session`, jar.header))).json()
      assert.equal(session?.user.email, ada.email, "The session wasn't read")
    },
    async signOut() {
      jar.take(await answer(postForm(`${basePath}/signout`, { csrfToken: await csrf() }, jar.header)))
      assert(!jar.has(sessionCookie), "The sign-out failed")
    },
  }
}

const steps = [
  ["sign-up", "signIn"],
  ["session read after sign-in", "read"],
  ["later session read", "read", true],
  ["sign-out", "signOut"],
  ["sign-in of a known user", "signIn"],
]

/** @param forget empties a cache, so that the read before a counted one fills it */
async function stepsOf(engine, adapter, forget) {
  const user = userOf(engine, adapter)
  const found = {}
  for (const [name, step, isLater] of steps) {
    if (isLater && forget) {
      await forget()
      await user.read()
    }
    Object.assign(counts, { sql: 0, redis: 0 })
    await user[step]()
    found[name] = { ...counts }
  }
  return found
}

/** Counts the requests of each step, in an application that has run before. */
export async function countRequests(world, chosen) {
  const engine = await latchkey()
  const found = {}
  for (const peer of peers.filter(({ id }) => chosen.some((one) => one.id === id))) {
    const own = { ...world, sessions: "requests", connections: 1 }
    for (const layout of ["own", "auth"])
      await withClient(world.postgres, `${layout}_requests`, (client) =>
        createTables(client, world.postgres, layout, `${layout}_requests`),
      )
    found[peer.id] = await counting(() => countOf(peer, peer.id === "auth" ? authCore : engine, own))
  }
  return found
}

async function countOf(peer, engine, world) {
  const redis = peer.needsRedis ? await createClient({ url: world.redis, database: 31 }).connect() : undefined
  await redis?.flushDb()
  const { adapter, close } = await peer.open({ ...world, client: redis && countingClient(redis) })
  const forget = peer.isCache ? () => redis.flushDb() : undefined
  await stepsOf(engine, adapter, forget)
  const user = await adapter.getUserByEmail(ada.email)
  await adapter.deleteUser(user.id)
  const found = await stepsOf(engine, adapter, forget)
  await adapter.deleteUser((await adapter.getUserByEmail(ada.email)).id)
  await redis?.close()
  await close()
  return found
}
