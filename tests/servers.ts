import { writeFile } from "node:fs/promises"
import type { TestProject } from "vitest/node"
import { chromium } from "./servers/chromium.js"
import { postgres } from "./servers/postgres.js"
import { glewlwyd, type GlewlwydFiles } from "./servers/glewlwyd.js"
import type { Requirement } from "./servers/process.js"
import { redis } from "./servers/redis.js"

/** What tests get with `inject("postgres")` and the like: `undefined` where the machine does not have it. */
declare module "vitest" {
  interface ProvidedContext {
    /** Connection URL of an empty server; make a database or a schema of your own in it. */
    postgres: string | undefined
    /** Connection URL of an empty server, which all tests share: use keys of your own. */
    redis: string | undefined
    /** Path of the program. */
    chromium: string | undefined
    glewlwyd: GlewlwydFiles | undefined
  }
}

/** Run once by vitest, before everything: finds and starts what tests need, and stops it at the end. */
export default async function start({ provide }: TestProject): Promise<() => Promise<void>> {
  const missing: { what: string; why: string }[] = []
  const [database, cache, browser, provider] = await Promise.all([
    sought(postgres, missing),
    sought(redis, missing),
    sought(chromium, missing),
    sought(glewlwyd, missing),
  ])
  provide("postgres", database?.url)
  provide("redis", cache?.url)
  provide("chromium", browser)
  provide("glewlwyd", provider)
  await tell(missing)
  return async () => {
    await Promise.all([database?.stop(), cache?.stop()])
  }
}

/** What cannot be had is written down; that it cannot be had is no reason to run nothing. */
async function sought<T>(
  { tests, advice, find }: Requirement<T>,
  missing: { what: string; why: string }[],
): Promise<T | undefined> {
  try {
    const found = await find()
    if (found === undefined) missing.push({ what: tests, why: advice })
    return found
  } catch (error) {
    missing.push({
      what: tests,
      why: `could not be started: ${error instanceof Error ? error.message : String(error)}`,
    })
    return undefined
  }
}

/** For the summary of `npm test`; a plain `vitest` prints it at once. */
async function tell(missing: readonly { what: string; why: string }[]): Promise<void> {
  const path = process.env["LATCHKEY_MISSING"]
  if (path !== undefined) await writeFile(path, JSON.stringify(missing))
  else for (const { what, why } of missing) console.log(`skipped: ${what} (${why})`)
}
