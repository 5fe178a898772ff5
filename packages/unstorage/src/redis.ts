import type { Storage } from "unstorage"

/** Steps that Redis makes atomic, for all processes. */
export interface Atomic {
  /** Writes if the key doesn't exist. */
  create(key: string, value: string): Promise<boolean>
  /** Writes if the key exists. */
  overwrite(key: string, value: string): Promise<boolean>
  /** Deletes, and says whether the key existed. */
  remove(key: string): Promise<boolean>
  /** Writes if the key still has the value `before`. */
  exchange(key: string, before: string, value: string): Promise<boolean>
  /** Writes all keys if each of them still has its value, or none. */
  exchangeAll(changes: readonly TextChange[]): Promise<boolean>
}

/** Without `before`, the key doesn't exist. Without `after`, it's deleted. */
export interface TextChange {
  readonly key: string
  readonly before?: string
  readonly after?: string
}

/** The part of an `ioredis` client that this file uses. */
interface Client {
  set(key: string, value: string, ...options: string[]): Promise<unknown>
  del(key: string): Promise<unknown>
  eval(script: string, keys: number, ...keysAndValues: string[]): Promise<unknown>
}

const exchangeScript = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2])
return 1`

/** An empty text stands for none: each value is JSON. */
const exchangeAllScript = `
for at, key in ipairs(KEYS) do
  if (redis.call("GET", key) or "") ~= ARGV[2 * at - 1] then return 0 end
end
for at, key in ipairs(KEYS) do
  if ARGV[2 * at] == "" then redis.call("DEL", key) else redis.call("SET", key, ARGV[2 * at]) end
end
return 1`

/** Returns `undefined` unless the driver `redis` of unstorage stores this key. */
export async function atomicOf(storage: Storage, key: string): Promise<Atomic | undefined> {
  const { base, driver } = storage.getMount(key)
  if (driver.name !== "redis") return undefined
  const client: unknown = driver.getInstance?.()
  if (!isClient(client)) return undefined
  const options: unknown = driver.options
  const prefix = prefixOf(options)
  const inRedis = (full: string) => prefix + (full.startsWith(base) ? full.slice(base.length) : full)
  // A storage of `prefixStorage` doesn't tell its prefix. The probe notices that the key would be another one.
  return (await leadsTo(storage, client, { key, inRedis })) ? over(client, inRedis, hasExpiry(options)) : undefined
}

function over(client: Client, inRedis: (key: string) => string, expires: readonly string[]): Atomic {
  return {
    create: async (key, value) => (await client.set(inRedis(key), value, ...expires, "NX")) === "OK",
    overwrite: async (key, value) => (await client.set(inRedis(key), value, ...expires, "XX")) === "OK",
    remove: async (key) => Number(await client.del(inRedis(key))) === 1,
    exchange: async (key, before, value) =>
      Number(await client.eval(exchangeScript, 1, inRedis(key), before, value)) === 1,
    exchangeAll: async (changes) => {
      const keys = changes.map(({ key }) => inRedis(key))
      const values = changes.flatMap(({ before = "", after = "" }) => [before, after])
      return Number(await client.eval(exchangeAllScript, keys.length, ...keys, ...values)) === 1
    },
  }
}

async function leadsTo(
  storage: Storage,
  client: Client,
  { key, inRedis }: { key: string; inRedis: (key: string) => string },
): Promise<boolean> {
  const probe = `${key}:probe:${crypto.randomUUID()}`
  await client.set(inRedis(probe), "1", "EX", "10")
  try {
    return await storage.hasItem(probe)
  } finally {
    await client.del(inRedis(probe))
  }
}

/** The driver has its own prefix, `base`. */
function prefixOf(options: unknown): string {
  const base: unknown = Reflect.get(Object(options), "base")
  return typeof base === "string" && base !== "" ? `${base.replace(/:$/, "")}:` : ""
}

/** The driver's option `ttl` applies to what this package writes too. */
function hasExpiry(options: unknown): readonly string[] {
  const ttl: unknown = Reflect.get(Object(options), "ttl")
  return typeof ttl === "number" && ttl > 0 ? ["EX", String(ttl)] : []
}

function isClient(value: unknown): value is Client {
  return ["set", "del", "eval"].every((name) => typeof Reflect.get(Object(value), name) === "function")
}
