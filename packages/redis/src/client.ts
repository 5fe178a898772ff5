import { type Script, sha1Of } from "./script.js"

/** The part of an `ioredis` client (`Redis` or `Cluster`) that this package uses. */
export interface IoredisClient {
  get(key: string): Promise<unknown>
  eval(script: string, keys: number, key: string, ...values: string[]): Promise<unknown>
  evalsha(sha1: string, keys: number, key: string, ...values: string[]): Promise<unknown>
}

/** The part of a `redis` client (node-redis, `createClient` or `createCluster`) that this package uses. */
export interface NodeRedisClient {
  get(key: string): Promise<unknown>
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** A client of `ioredis` or `redis`, for one server or for a Redis Cluster. Connect it yourself. */
export type RedisClient = IoredisClient | NodeRedisClient

/**
 * The two commands that everything is made of. Each touches one key, so that it works in a Redis Cluster, where a command
 * can't touch keys of different slots.
 */
export interface Commands {
  get(key: string): Promise<string | null>
  run(script: Script, key: string, values: readonly string[]): Promise<unknown>
}

/** Distinguishes the clients by their methods. */
export function commandsOf(client: RedisClient): Commands {
  assertClient(client)
  return {
    get: async (key) => {
      if (!isStorable(key)) return null
      const value = await withoutArguments(async () => client.get(key))
      if (value === null || typeof value === "string") return value
      throw unexpected()
    },
    run: async (script, key, values) => {
      if (![key, ...values].every(isStorable)) {
        throw new TypeError("The text contains a lone surrogate, which Redis can't store. Remove it.")
      }
      return withoutArguments(() => runScript(client, script, key, [...values]))
    },
  }
}

/** The clients turn every lone surrogate into `U+FFFD`, so different keys would become equal. */
export function isStorable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/** Whether a script returned 1. `stringNumbers` of `ioredis` and type mappings of `redis` return numbers as text. */
export function isOne(answer: unknown): boolean {
  return answer === 1 || answer === "1"
}

export function unexpected(): Error {
  return new Error(
    "Redis returned an unexpected result. Check that the client is connected to a Redis server and returns text.",
  )
}

/** Sends only the hash of a script that the server knows, which saves up to a kilobyte per call. */
async function runScript(client: RedisClient, script: Script, key: string, values: string[]): Promise<unknown> {
  const sha1 = await sha1Of(script)
  try {
    return "evalsha" in client
      ? await client.evalsha(sha1, 1, key, ...values)
      : await client.evalSha(sha1, { keys: [key], arguments: values })
  } catch (error) {
    // The server forgets scripts when it restarts, and another server of a cluster may not know it yet.
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error
    return "evalsha" in client
      ? client.eval(script.text, 1, key, ...values)
      : client.eval(script.text, { keys: [key], arguments: values })
  }
}

/** `ioredis` adds the command to an error. Its arguments contain session tokens, and errors are logged. */
async function withoutArguments<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (typeof error === "object" && error !== null) Reflect.deleteProperty(error, "command")
    throw error
  }
}

function assertClient(client: unknown): void {
  const has = (name: string) =>
    typeof client === "object" && client !== null && typeof Reflect.get(client, name) === "function"
  // Its methods have the same names, but take other arguments.
  if (has("createScript")) {
    throw new TypeError(
      "`@upstash/redis` isn't supported, because it changes the texts that it reads. Pass a client of `ioredis` or `redis` that is connected to the `rediss://` URL of the same database.",
    )
  }
  if (has("get") && has("eval") && (has("evalsha") || has("evalSha"))) return
  throw new TypeError("This isn't a Redis client. Pass a client of `ioredis` or `redis`.")
}
