import type { RedisClient } from "@latchkey/redis"
import { Cluster, Redis } from "ioredis"
import { createClient, createCluster } from "redis"
import { inject } from "vitest"

/** A connected client of a real server. */
export interface Connected {
  readonly client: RedisClient
  close(): Promise<unknown>
}

export interface Connection {
  readonly name: string
  readonly connect: () => Promise<Connected>
}

export const hasServers: boolean = inject("redis") !== undefined && inject("redisCluster") !== undefined

/** Both clients, for one server and for a cluster. */
export const connections: readonly Connection[] = [
  { name: "ioredis", connect: () => ioredis(serverUrl()) },
  { name: "redis", connect: () => nodeRedis(serverUrl()) },
  { name: "ioredis with a cluster", connect: ioredisCluster },
  { name: "redis with a cluster", connect: nodeRedisCluster },
]

export function serverUrl(): string {
  const url = inject("redis")
  if (url === undefined) throw new Error("Redis isn't running. Skip the test.")
  return url
}

export async function ioredis(url: string): Promise<Connected & { readonly client: Redis }> {
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => 50 })
  client.on("error", () => undefined)
  await client.connect()
  return { client, close: async () => client.disconnect() }
}

export async function nodeRedis(url: string): Promise<Connected> {
  const client = createClient({ url, disableOfflineQueue: true })
  client.on("error", () => undefined)
  await client.connect()
  return { client, close: async () => client.destroy() }
}

async function ioredisCluster(): Promise<Connected> {
  const client = new Cluster([...clusterUrls()], { lazyConnect: true })
  await client.connect()
  return { client, close: async () => client.disconnect() }
}

async function nodeRedisCluster(): Promise<Connected> {
  const client = createCluster({ rootNodes: clusterUrls().map((url) => ({ url })) })
  client.on("error", () => undefined)
  await client.connect()
  return { client, close: async () => client.destroy() }
}

function clusterUrls(): readonly string[] {
  const urls = inject("redisCluster")
  if (urls === undefined) throw new Error("Redis Cluster isn't running. Skip the test.")
  return urls
}

/** All tests share one server, so each uses keys of its own. */
export function ownPrefix(): string {
  return `${crypto.randomUUID()}:`
}
