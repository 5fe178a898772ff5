import type { Adapter } from "@latchkey/core/adapters"
import { redisCache } from "@latchkey/redis"
import { open as libsql } from "./adapters/libsql.ts"
import { open as mysql } from "./adapters/mysql.ts"
import { open as postgres } from "./adapters/postgres.ts"
import { connect, open as redis } from "./adapters/redis.ts"
import { open as sqlite } from "./adapters/sqlite.ts"

/** By the scheme of `DATABASE_URL`. An application has one of them. */
const adapters: Readonly<Record<string, (url: URL) => Adapter>> = {
  "file:": sqlite,
  "libsql:": libsql,
  "mysql:": mysql,
  "postgres:": postgres,
  "redis:": redis,
}

/** With `REDIS_URL`, Redis is a cache in front of the sessions in the database. */
export function adapterFor({ DATABASE_URL = "file:example.db", REDIS_URL }: NodeJS.ProcessEnv): Adapter {
  const url = new URL(DATABASE_URL)
  const open = adapters[url.protocol]
  if (open === undefined) throw new Error(`DATABASE_URL must start with ${Object.keys(adapters).join(", ")}.`)
  const adapter = open(url)
  return REDIS_URL === undefined ? adapter : redisCache(adapter, connect(REDIS_URL))
}
