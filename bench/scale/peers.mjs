import PostgresAdapter from "@auth/pg-adapter"
import { existsSync } from "node:fs"
import pg from "pg"
import { createClient } from "redis"
import { schemaOf } from "./rows.mjs"

const packages = new URL("../../packages/", import.meta.url)

async function built(path) {
  const file = new URL(path, packages)
  if (!existsSync(file)) throw new Error(`${path} isn't built. Run \`npm run build\`.`)
  return import(file)
}

export async function postgresAdapter(options) {
  const { postgres } = await built("sql/dist/postgres.js")
  return postgres({ autoMigrate: false, ...options })
}

async function exportsOf(name) {
  const found = await built("redis/dist/index.js")
  if (found[name] === undefined) throw new Error(`@latchkey/redis has no ${name}`)
  return found
}

function poolOf({ postgres, layout, sessions, connections }) {
  const schema = schemaOf(layout, sessions)
  const options = `-c search_path=${schema}`
  const pool = new pg.Pool({ connectionString: postgres, max: connections, idleTimeoutMillis: 0, options })
  // Without a listener, the end of the server after a failure would hide the failure.
  return pool.on("error", () => {})
}

async function sqlOver(layout, world) {
  const pool = poolOf({ ...world, layout })
  const adapter = await postgresAdapter({ pool, ...(layout === "auth" && { layout: "authjs-pg" }) })
  return { adapter, close: () => pool.end() }
}

/** Each size has its own logical database, so that `flushdb` and memory are its own. */
async function clientOf({ redis, sessions, client: given }, offset) {
  if (given !== undefined) return { ...given, close: () => undefined }
  const database = offset + Math.round(Math.log10(sessions))
  const client = createClient({ url: redis, database })
  client.on("error", () => {})
  return client.connect()
}

/**
 * A way to read a session.
 * @typedef {object} Peer
 * @property {string} id
 * @property {string} title
 * @property {"own" | "auth" | "redis"} data where its rows are
 * @property {number} [most] the largest number of sessions, because storing one takes many requests
 * @property {boolean} [hasUsers] whether users are in Redis too
 * @property {boolean} [needsRedis]
 * @property {boolean} [isCache] whether Redis only has copies
 * @property {number} [hot] reads only this many different sessions, so that a cache has them
 * @property {(world: { postgres: string, redis: string, sessions: number, connections: number }) => Promise<{ adapter: object, close: () => Promise<unknown>, client?: object }>} open
 */

/** Longer than a run, so that its reads find copies of sessions and users, and measure those. */
const ttlSeconds = 7200

/** @type {readonly Peer[]} */
export const peers = [
  { id: "own", title: "`@latchkey/sql`", data: "own", open: (world) => sqlOver("own", world) },
  {
    id: "same",
    title: "`@latchkey/sql` on the tables of `@auth/pg-adapter`",
    data: "auth",
    open: (world) => sqlOver("auth", world),
  },
  {
    id: "auth",
    title: "`@auth/pg-adapter`",
    data: "auth",
    async open(world) {
      const pool = poolOf({ ...world, layout: "auth" })
      return { adapter: PostgresAdapter(pool), close: () => pool.end() }
    },
  },
  {
    id: "cache",
    title: "`redisCache` in front of `@latchkey/sql`, 10 thousand sessions in use",
    data: "own",
    hot: 10_000,
    isCache: true,
    needsRedis: true,
    async open(world) {
      const { redisCache } = await exportsOf("redisCache")
      const client = await clientOf(world, 0)
      const { adapter, close } = await sqlOver("own", world)
      return {
        adapter: redisCache(adapter, client, { ttlSeconds }),
        client,
        close: () => Promise.all([close(), client.close()]),
      }
    },
  },
  {
    id: "sessions",
    title: "`redisSessions`, with the users in `@latchkey/sql`",
    data: "redis",
    hasUsers: false,
    most: 100_000,
    needsRedis: true,
    async open(world) {
      const { redisSessions } = await exportsOf("redisSessions")
      const client = await clientOf(world, 20)
      const { adapter, close } = await sqlOver("own", world)
      return {
        adapter: redisSessions(adapter, client, { ttlSeconds }),
        client,
        close: () => Promise.all([close(), client.close()]),
      }
    },
  },
  {
    id: "redis",
    title: "`redis` as the store",
    data: "redis",
    hasUsers: true,
    needsRedis: true,
    async open(world) {
      const { redis } = await exportsOf("redis")
      const client = await clientOf(world, 10)
      return { adapter: redis(client), client, close: () => client.close() }
    },
  },
]
