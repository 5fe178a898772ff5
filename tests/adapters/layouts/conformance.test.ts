import { allCapabilities, type Capability, testAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { afterAll, describe, inject, test } from "vitest"
import { type LayoutCase, layouts, type Opened } from "./layouts.js"

/** Stored only in columns that the plan adds. */
const additional: readonly Capability[] = ["extraFields", "describeSession", "describeAuthenticator"]
const forPasskeys: readonly Capability[] = ["updateAuthenticator", "deleteAuthenticator"]

function conforms(name: string, of: LayoutCase, isMigrated: boolean): void {
  const opened: Opened[] = []
  const create = async () => {
    const place = await of.open(isMigrated ? "migrated" : "as_is")
    opened.push(place)
    const adapter = place.ours()
    if (isMigrated) await adapter.migrate()
    return webauthn ? adapter : withoutPasskeys(adapter)
  }
  const webauthn = of.hasPasskeys || isMigrated
  const capabilities = allCapabilities.filter(
    (each) => isMigrated || (!additional.includes(each) && (webauthn || !forPasskeys.includes(each))),
  )
  const skip = [...(isMigrated ? [] : ["capabilities"]), ...of.limits]
  testAdapter(
    {
      name,
      create,
      capabilities,
      webauthn,
      skip,
      ...(of.newId && { newId: of.newId }),
      ...(of.precision && { precision: of.precision }),
    },
    { describe, test },
  )
  afterAll(async () => {
    for (const place of opened) await place.close()
  })
}

/** Without a table for passkeys, the methods reject. */
function withoutPasskeys({ createAuthenticator: _create, ...adapter }: Adapter): Adapter {
  return adapter
}

describe.each(layouts)("the tables of $name", (of) => {
  describe.skipIf(of.server !== undefined && inject(of.server) === undefined)("on the server", () => {
    conforms("as they are", of, false)
    conforms("with what the plan adds", of, true)
  })
})
