import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer, type Server } from "@latchkey/core/server"
import type { SecurityEvent } from "@latchkey/core/types"
import { type Site, site, type SiteOptions } from "../account/setup.js"
import { trackLog } from "../../../testing/src/secrets.js"

export interface Audited extends Site<MemoryAdapter> {
  readonly heard: SecurityEvent[]
  readonly server: Server
  /** The id of the user who is signed in. */
  userId(): Promise<string>
}

/** A site whose security events are kept. A test fails if one contains a secret. */
export async function audited(options: SiteOptions = {}): Promise<Audited> {
  const heard: SecurityEvent[] = []
  const security = (event: SecurityEvent) => {
    heard.push(event)
    trackLog(() => JSON.stringify(event))
  }
  const its = await site(memoryAdapter(), { events: { security }, ...options })
  return {
    ...its,
    heard,
    server: createServer(its.config),
    userId: async () => (await its.account().overview()).user.id ?? "",
  }
}
