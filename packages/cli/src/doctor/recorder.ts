import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { frameworkModules, withModules } from "./frameworks.js"
import { qwikModules } from "./qwik.js"
import { type SqlRules, withRules } from "./sql-adapters.js"

type Module = Readonly<Record<string, unknown>>
type Function = (...args: readonly unknown[]) => unknown

/** Records what the configuration file does while it runs. */
export interface Recorder {
  /** The configurations that were passed to functions of Latchkey, in order. */
  readonly configurations: unknown[]
  /** The SQLite files that an adapter would create. */
  readonly newDatabases: string[]
  /** Modules that replace installed ones while the file runs. */
  readonly modules: Record<string, Module>
}

/**
 * Replaces the packages that take a configuration with functions that only record it. Adapters of `@latchkey/sql` are real
 * but create no tables.
 */
export async function recorderFor(
  root: string,
  rules: SqlRules = { createsFiles: false, hasTimeouts: true },
): Promise<Recorder> {
  const configurations: unknown[] = []
  const newDatabases: string[] = []
  const errors = await installed(root, "@latchkey/core/errors")
  const core = (await installed(root, "@latchkey/core")) ?? (await installed(root, "@auth/core"))
  const exported = { ...errors, ...(core === undefined ? {} : { customFetch: core["customFetch"] }) }
  const modules = {
    ...frameworks(configurations, exported),
    ...(core === undefined ? {} : engine(configurations, core)),
  }
  for (const name of sqlModules) {
    const real = await installed(root, name)
    if (real !== undefined) modules[name] = withRules(real, root, newDatabases, rules)
  }
  return { configurations, newDatabases, modules }
}

const sqlModules = ["", "/sqlite", "/libsql", "/d1", "/postgres", "/mysql"].map((entry) => `@latchkey/sql${entry}`)

const nothing = () => undefined

/** The result of `NextAuth()`. */
const next = {
  handlers: { GET: nothing, POST: nothing },
  auth: nothing,
  requireSession: nothing,
  signIn: nothing,
  signOut: nothing,
  update: nothing,
  unstable_update: nothing,
}

function frameworks(configurations: unknown[], exported: Module): Record<string, Module> {
  const own = ownModules(configurations, exported)
  return { ...frameworkModules(configurations, exported, new Set(Object.keys(own))), ...own }
}

/** The packages whose functions are known. */
function ownModules(configurations: unknown[], exported: Module): Record<string, Module> {
  const ours = { ...exported, default: recording(configurations, 0, next) }
  const express = {
    ...exported,
    ExpressAuth: recording(configurations, 0, nothing),
    getSession: recording(configurations, 1, Promise.resolve(null)),
  }
  return {
    "server-only": {},
    "client-only": {},
    "next-auth": ours,
    "@latchkey/next": ours,
    "@latchkey/express": express,
    "@auth/express": express,
    ...qwikModules(configurations, exported),
  }
}

function engine(configurations: unknown[], core: Module): Record<string, Module> {
  const withEnv: Function = (config) => {
    configurations.push(config)
    return config
  }
  const ours = { ...core, withEnv, Auth: recording(configurations, 1, Promise.resolve(new Response())) }
  return {
    "@latchkey/core": ours,
    "@auth/core": ours,
    "@latchkey/core/server": { createServer: recording(configurations, 0, {}) },
  }
}

/** A function that records one of its arguments. */
function recording(configurations: unknown[], index: number, result: unknown): Function {
  return (...args) => {
    configurations.push(withModules(args[index], args))
    return result
  }
}

/** The package that the application has installed, if any. */
async function installed(root: string, name: string): Promise<Module | undefined> {
  try {
    const path = createRequire(join(root, "package.json")).resolve(name)
    // A module namespace has the exports by name.
    return (await import(pathToFileURL(path).href)) as Module
  } catch {
    return undefined
  }
}
