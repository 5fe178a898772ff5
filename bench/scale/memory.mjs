import { createClient } from "redis"
import { emailOf, tokenOf, userIdOf, userOf, usersFor } from "./rows.mjs"

/** Requests at once. */
const width = 256

/** Stores users and sessions through the adapter, unless they're there. @returns {Promise<number>} bytes in memory */
export async function loadRedis(peer, world, say) {
  const { adapter, client, close } = await peer.open({ ...world, connections: 1 })
  const { sessions } = world
  const loaded = `bench:loaded:${sessions}`
  const before = await usedMemory(client)
  const known = await client.get(loaded)
  if (known === null) {
    await client.flushDb()
    await inParallel(peer.hasUsers ? usersFor(sessions) : 0, (user) =>
      adapter.createUser({
        id: userIdOf(user),
        email: emailOf(user),
        name: `User ${user}`,
        image: `https://avatars.example/${user}`,
        emailVerified: null,
      }),
    )
    if (peer.hasUsers) say(`redis: ${usersFor(sessions)} users\n`)
    const withUsers = await usedMemory(client)
    await inParallel(sessions, (number) => storeSession(adapter, number, usersFor(sessions)))
    say(`redis: ${sessions} sessions\n`)
    const perSession = ((await usedMemory(client)) - withUsers) / sessions
    const perUser = peer.hasUsers ? (withUsers - before) / usersFor(sessions) : undefined
    await client.set(loaded, JSON.stringify({ perSession, perUser }))
  }
  const found = JSON.parse(await client.get(loaded))
  await close()
  return found
}

async function storeSession(adapter, number, users) {
  const sessionToken = tokenOf(number)
  const expires = new Date(Date.now() + 86_400_000 + (number % 41_760) * 60_000)
  await adapter.createSession({ sessionToken, userId: userIdOf(userOf(number, users)), expires })
  const at = new Date(1_767_225_600_000 + number)
  await adapter.describeSession?.(sessionToken, {
    createdAt: at,
    lastUsedAt: at,
    browser: "Firefox",
    system: "Windows",
  })
}

async function inParallel(count, work) {
  let next = 1
  const loop = async () => {
    while (next <= count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, loop))
}

async function usedMemory(client) {
  return Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1])
}

/** Requests to Redis for each of some reads. A script is one request, whatever it calls. */
export async function requestsPerRead(url, work, reads) {
  const eye = await createClient({ url }).connect()
  const count = async () => Number(/total_reads_processed:(\d+)/.exec(await eye.info("stats"))[1])
  const before = await count()
  await work()
  const total = (await count()) - before
  await eye.close()
  return Math.round((total / reads) * 10) / 10
}
