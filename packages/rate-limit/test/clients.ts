import type { RedisClient } from "@latchkey/rate-limit"
import { Redis } from "ioredis"
import { createClient } from "redis"
import { inject } from "vitest"

export interface Connected {
  readonly client: RedisClient
  /** Milliseconds until the key expires; negative if it doesn't exist or never expires. */
  ttl(key: string): Promise<number>
  persist(key: string): Promise<unknown>
  shorten(key: string): Promise<unknown>
  keys(pattern: string): Promise<string[]>
  close(): Promise<unknown>
}

export function serverUrl(): string {
  const url = inject("redis")
  if (url === undefined) throw new Error("Redis isn't running. Skip the test.")
  return url
}

export async function ioredis(): Promise<Connected> {
  const client = new Redis(serverUrl(), { lazyConnect: true })
  await client.connect()
  return {
    client,
    ttl: (key) => client.pttl(key),
    persist: (key) => client.persist(key),
    shorten: (key) => client.pexpire(key, 1),
    keys: (pattern) => client.keys(pattern),
    close: () => client.quit(),
  }
}

export async function nodeRedis(): Promise<Connected> {
  const client = createClient({ url: serverUrl() })
  await client.connect()
  return {
    client,
    ttl: (key) => client.pTTL(key),
    persist: (key) => client.persist(key),
    shorten: (key) => client.pExpire(key, 1),
    keys: (pattern) => client.keys(pattern),
    close: async () => client.close(),
  }
}
