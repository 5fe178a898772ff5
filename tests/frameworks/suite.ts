import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createProvider } from "@latchkey/testing"
import { afterAll, beforeAll, describe, test } from "vitest"
import { remove } from "../applications/install.js"
import { startServices } from "../applications/services.js"
import { inChromium, type Visit } from "../browser/chromium.js"
import { hasRuntimes } from "../applications/runtimes.js"
import type { Behavior } from "./behavior.js"
import { behaviors } from "./behaviors/all.js"
import { build } from "./build.js"
import { belowDocs, declare, type Framework, reasonFor, titleOf } from "./framework.js"
import { type Env, type Site, start, type Surroundings } from "./site.js"

/** Milliseconds for the build. With other runtimes, npm installs them first. */
const buildLimit = 480_000
const installLimit = 600_000

/**
 * Builds the example of a framework for production, and tests all behaviors with it.
 *
 * @param more registers tests of what only this example has
 */
export function frameworkSuite(framework: Framework, more?: (served: Served) => void): void {
  if (declare(framework)) return
  describe.skipIf(framework.runtime !== undefined && !hasRuntimes)(`behaviors of ${titleOf(framework)}`, () => {
    const served = application(framework)
    for (const behavior of behaviors.filter(({ needs }) => needs === "http")) register(behavior, framework, served)
    more?.(served)
    if (framework.below !== undefined) registerBelow(belowDocs(framework))
    const inBrowser = behaviors.filter(
      ({ needs }) => (needs === "pages" && framework.pages) || (needs === "client" && framework.client),
    )
    if (inBrowser.length === 0) return
    inChromium("in a browser", (visit) => {
      for (const behavior of inBrowser) register(behavior, framework, served, visit)
    })
  })
}

function registerBelow(framework: Framework): void {
  describe("below a base path", () => {
    const served = application(framework)
    for (const behavior of behaviors.filter(({ needs }) => needs === "below")) register(behavior, framework, served)
  })
}

export type Served = (env?: Env) => Promise<Site>

function register(behavior: Behavior, framework: Framework, served: Served, visit: Visit = noBrowser): void {
  const { id, title, needs, env } = behavior
  const run = async () => behavior.run(await served(env), visit)
  const reason = reasonFor(framework, id)
  if (reason === undefined) test(`${id}: ${title}`, run)
  // A failure in a browser can take a minute.
  if (reason !== undefined && needs === "http") test.fails(`${id}: not here, because ${reason}`, run)
}

async function noBrowser(): Promise<never> {
  throw new Error("A behavior over HTTP has no browser.")
}

/** Builds before the tests of the suite, starts a server for each environment that they ask for, and ends all of them. */
function application(framework: Framework): Served {
  const sites = new Map<string, Promise<Site>>()
  const op = createProvider()
  let surroundings: Surroundings | undefined
  let close = async (): Promise<void> => undefined

  beforeAll(
    async () => {
      const [services, listening, data, folder] = await Promise.all([
        startServices(),
        op.listen(),
        mkdtemp(join(tmpdir(), "latchkey-frameworks-")),
        build(framework),
      ])
      surroundings = { framework, folder, data, op, services }
      close = async () => {
        await Promise.all([services.close(), listening.close(), remove(data), remove(folder)])
      }
    },
    framework.runtime === undefined ? buildLimit : installLimit,
  )

  afterAll(async () => {
    const started = await Promise.allSettled(sites.values())
    await Promise.all(started.map(async (site) => (site.status === "fulfilled" ? site.value.stop() : undefined)))
    await close()
  })

  return async (env = {}) => {
    if (surroundings === undefined) throw new Error("The application isn't built yet")
    const key = JSON.stringify(env)
    const site = sites.get(key) ?? start(String(sites.size), env, surroundings)
    sites.set(key, site)
    return site
  }
}
