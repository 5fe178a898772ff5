import { allCapabilities, testAdapter } from "@latchkey/adapter-kit"
import type { SqlAdapter } from "@latchkey/sql"
import type { D1Adapter } from "@latchkey/sql/d1"
import { afterAll, describe, test } from "vitest"

type Made = SqlAdapter | D1Adapter

/** Runs the whole conformance suite. */
export function conforms(name: string, make: () => Made | Promise<Made>, capabilities = allCapabilities): void {
  const made: Made[] = []
  const create = async () => {
    const adapter = await make()
    made.push(adapter)
    return adapter
  }
  testAdapter({ name, create, capabilities, webauthn: true }, { describe, test })
  afterAll(async () => {
    for (const adapter of made) await adapter.close()
  })
}
