import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

type Module = Readonly<Record<string, unknown>>
type Function = (...args: readonly unknown[]) => unknown

/** What the configuration file did while it ran. */
export interface Recorder {
  /** Configurations that were passed to a function of ours, in order. */
  readonly configurations: unknown[]
  /** Files of SQLite that an adapter would make. */
  readonly newDatabases: string[]
  /** Modules that take the place of installed ones while the file runs. */
  readonly modules: Record<string, Module>
}

/**
 * Stand-ins for the packages that a configuration is passed to: they take a note of it and do nothing. Adapters of
 * `@latchkey/sql` are the real ones, but make no tables.
 */
export async function recorderFor(root: string): Promise<Recorder> {
  const configurations: unknown[] = []
  const newDatabases: string[] = []
  const errors = await installed(root, "@latchkey/core/errors")
  const core = await installed(root, "@latchkey/core")
  const modules = { ...frameworks(configurations, errors), ...(core === undefined ? {} : engine(configurations, core)) }
  for (const name of ["@latchkey/sql", "@latchkey/sql/sqlite", "@latchkey/sql/postgres"]) {
    const real = await installed(root, name)
    if (real !== undefined) modules[name] = withoutMigrations(real, root, newDatabases)
  }
  return { configurations, newDatabases, modules }
}

const nothing = () => undefined

/** What `NextAuth()` returns. */
const next = {
  handlers: { GET: nothing, POST: nothing },
  auth: nothing,
  requireSession: nothing,
  signIn: nothing,
  signOut: nothing,
  update: nothing,
  unstable_update: nothing,
}

function frameworks(configurations: unknown[], errors: Module | undefined): Record<string, Module> {
  const ours = { ...errors, default: noting(configurations, 0, next) }
  return {
    "server-only": {},
    "client-only": {},
    "next-auth": ours,
    "@latchkey/next": ours,
    "@latchkey/express": {
      ...errors,
      ExpressAuth: noting(configurations, 0, nothing),
      getSession: noting(configurations, 1, Promise.resolve(null)),
    },
  }
}

function engine(configurations: unknown[], core: Module): Record<string, Module> {
  const withEnv: Function = (config) => {
    configurations.push(config)
    return config
  }
  return {
    "@latchkey/core": { ...core, withEnv, Auth: noting(configurations, 1, Promise.resolve(new Response())) },
    "@latchkey/core/server": { createServer: noting(configurations, 0, {}) },
  }
}

/** A function that keeps one of its arguments. */
function noting(configurations: unknown[], index: number, result: unknown): Function {
  return (...args) => {
    configurations.push(args[index])
    return result
  }
}

/** The package as the application has it; undefined if it has none. */
async function installed(root: string, name: string): Promise<Module | undefined> {
  try {
    const path = createRequire(join(root, "package.json")).resolve(name)
    // A namespace of a module: its exports by their names.
    return (await import(pathToFileURL(path).href)) as Module
  } catch {
    return undefined
  }
}

function withoutMigrations(real: Module, root: string, newDatabases: string[]): Module {
  const wrapped = Object.entries(real).map(([name, value]) => {
    if (typeof value !== "function" || !["sqlAdapter", "sqlite", "postgres"].includes(name)) return [name, value]
    const make = (first: unknown, options: unknown) => {
      const isNew =
        name === "sqlite" && typeof first === "string" && first !== ":memory:" && !existsSync(join(root, first))
      if (isNew) newDatabases.push(first)
      const given = typeof options === "object" && options !== null ? options : {}
      // The functions of @latchkey/sql: a place for the data, and options.
      return Reflect.apply(value, undefined, [isNew ? ":memory:" : first, { ...given, autoMigrate: false }])
    }
    return [name, make]
  })
  return Object.fromEntries(wrapped)
}
