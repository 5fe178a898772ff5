import { heldBy } from "./cookies.js"
import type { Stage } from "./play.js"

/** What decides about later requests: the data in the database, in the browsers and in the authenticators. */
export async function stateOf({ application, browsers, authenticators, secrets }: Stage): Promise<string> {
  const { plan, tables, recorder } = application
  const inBrowsers = [...browsers]
    .toSorted(([a], [b]) => a - b)
    .map(async ([index, { jar, authorization }]) => {
      const { session } = await heldBy(jar, plan, secrets)
      return [index, session ?? null, authorization !== undefined]
    })
  const rows = Object.values(tables).map((table: readonly unknown[]) => table.length)
  const passkeys = [...authenticators].map(([index, { credentials }]) => [index, credentials.length])
  return JSON.stringify([rows, recorder.links.length, passkeys, await Promise.all(inBrowsers)])
}
