import type { ProvidedContext } from "vitest"
import type { TestProject } from "vitest/node"
import type { GlewlwydFiles } from "../servers/glewlwyd.js"
import type { Found, Requirement } from "../servers/process.js"

/** What tests get with `inject("postgres")` and the like: `undefined` where the machine does not have it. */
declare module "vitest" {
  interface ProvidedContext {
    /** Connection URL of an empty server; make a database or a schema of your own in it. */
    postgres: string | undefined
    /** Connection URL of an empty server, which all tests share: use keys of your own. */
    redis: string | undefined
    /** Connection URL of an empty server; make a database of your own in it. */
    mariadb: string | undefined
    /** Connection URLs of the servers of one cluster, which all tests share: use keys of your own. */
    redisCluster: readonly string[] | undefined
    /** Path of the program. */
    chromium: string | undefined
    glewlwyd: GlewlwydFiles | undefined
    /** What this machine does not have; tools/reporter.mjs prints it. */
    missing: readonly Missing[]
    build: true
  }
}

export interface Missing {
  readonly what: string
  readonly why: string
}

type Setup = (project: TestProject) => Promise<(() => Promise<void>) | undefined>

/** A global setup of vitest: the first project that needs the server starts it for all of them. */
export function provided<K extends "postgres" | "mariadb" | "redis" | "redisCluster" | "chromium" | "glewlwyd">(
  name: K,
  requirement: Requirement<NonNullable<ProvidedContext[K]>>,
): Setup {
  return async ({ vitest }) => {
    const root = vitest.getRootProject()
    const context: Partial<ProvidedContext> = root.getProvidedContext()
    if (name in context) return undefined
    const { found, why } = await find(requirement)
    root.provide(name, found?.value)
    if (why !== undefined) root.provide("missing", [...(context.missing ?? []), { what: requirement.tests, why }])
    return found?.stop
  }
}

/** A machine without the server still runs the other tests. */
async function find<T>({ advice, find: look }: Requirement<T>): Promise<{ found?: Found<T>; why?: string }> {
  try {
    const found = await look()
    return found === undefined ? { why: advice } : { found }
  } catch (error) {
    return { why: `could not be started: ${error instanceof Error ? error.message : String(error)}` }
  }
}
