import type { SqlAdapter } from "./adapter.js"
import type { Finding } from "./check.js"

type Reader = Pick<SqlAdapter, "getSessionAndUser" | "close">
type Read = SqlAdapter["getSessionAndUser"]

/**
 * Reads sessions from a replica, and everything else from the primary. The primary is asked too if the replica doesn't have the
 * session, because the user may have just signed in, or if the session has expired there, because it may have been extended.
 */
export function withReplica(primary: SqlAdapter, replica: Reader): SqlAdapter {
  const readReplica = skippingFailures((token) => replica.getSessionAndUser(token))
  return {
    ...primary,
    getSessionAndUser: async (token) => {
      const found = await readReplica(token)
      return found && found.session.expires.getTime() > Date.now() ? found : primary.getSessionAndUser(token)
    },
    check: async () => [...(await primary.check()), ...(await findingsOf(replica))],
    close: async () => {
      await Promise.all([primary.close(), replica.close()])
    },
  }
}

/** After a failure, the replica isn't asked for a while. Otherwise each request would wait until its connection times out. */
function skippingFailures(read: Read): Read {
  let skipUntil = 0
  return async (token) => {
    if (performance.now() < skipUntil) return null
    try {
      return await read(token)
    } catch {
      // The primary answers instead. `check()` reports a replica that fails.
      skipUntil = performance.now() + pauseMs
      return null
    }
  }
}

const pauseMs = 5000

async function findingsOf(replica: Reader): Promise<readonly Finding[]> {
  try {
    await replica.getSessionAndUser("none")
    return []
  } catch (error) {
    const problem = `The replica can't be read: ${error instanceof Error ? error.message : String(error)}`
    return [
      { level: "warning", problem, fix: "Check that it runs and has the tables. Until then, the primary is read." },
    ]
  }
}
