import type { NodeRedisClient, RedisClient } from "@latchkey/redis"

/** How a connection is lost: before a command reaches the server, or before its answer arrives. */
export type Loss = "command" | "answer"

export class Interrupted extends Error {
  override readonly name = "Interrupted"
}

/** The same client, which loses the connection at one of its commands, like a process that ends there. */
export function interrupted(client: RedisClient, at: number, loss: Loss): RedisClient {
  return withEachCommand(client, async (position, send) => {
    if (position > at || (position === at && loss === "command")) throw new Interrupted()
    const answer = await send()
    if (position === at) throw new Interrupted()
    return answer
  })
}

/** The same client, which waits before one of its commands. */
export function paused(
  client: RedisClient,
  at: number,
): { readonly client: RedisClient; readonly reached: Promise<void>; release(): void } {
  let reach = () => {}
  let release = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<void>((resolve) => (release = resolve))
  const pausing = withEachCommand(client, async (position, send) => {
    if (position === at) {
      reach()
      await released
    }
    return send()
  })
  return { client: pausing, reached, release: () => release() }
}

type Step = (position: number, send: () => Promise<unknown>) => Promise<unknown>

function withEachCommand(client: RedisClient, step: Step): RedisClient {
  let count = 0
  const next = (send: () => Promise<unknown>) => step(count++, send)
  const get = (key: string) => next(() => client.get(key))
  if ("evalsha" in client) {
    return {
      get,
      eval: (script, keys, key, ...values) => next(() => client.eval(script, keys, key, ...values)),
      evalsha: (sha1, keys, key, ...values) => next(() => client.evalsha(sha1, keys, key, ...values)),
    }
  }
  const nodeRedis: NodeRedisClient = {
    get,
    eval: (script, options) => next(() => client.eval(script, options)),
    evalSha: (sha1, options) => next(() => client.evalSha(sha1, options)),
  }
  return nodeRedis
}
