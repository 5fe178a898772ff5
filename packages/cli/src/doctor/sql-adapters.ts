import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"

type Module = Readonly<Record<string, unknown>>

/** What adapters of `@latchkey/sql` may do while a command uses them. They never migrate by themselves. */
export interface SqlRules {
  /** Otherwise a database in memory takes the place of a file that doesn't exist. */
  readonly createsFiles: boolean
  /** A migration or a sweep may take longer than a query of a sign-in. */
  readonly hasTimeouts: boolean
}

/** Functions that take a location and options. */
const withLocation = new Set(["sqlAdapter", "sqlite", "libsql", "d1"])
/** Functions that take a connection string, or options that include it. */
const withOptionsOnly = new Set(["postgres", "mysql"])

/** A module of `@latchkey/sql` whose adapters follow the rules. `newDatabases` gets the names of files that don't exist. */
export function withRules(real: Module, root: string, newDatabases: string[], rules: SqlRules): Module {
  const options = { autoMigrate: false }
  const patient = rules.hasTimeouts ? options : { ...options, queryTimeoutMillis: 0 }
  const wrapped = Object.entries(real).map(([name, value]) => {
    if (typeof value !== "function") return [name, value]
    if (withOptionsOnly.has(name))
      return [name, (given: unknown) => Reflect.apply(value, undefined, [{ ...connection(given), ...patient }])]
    if (!withLocation.has(name)) return [name, value]
    const make = (location: unknown, given: unknown) => {
      const file = newFile(name, location, root)
      if (file !== undefined) newDatabases.push(file)
      const used = file === undefined || rules.createsFiles ? location : ":memory:"
      return Reflect.apply(value, undefined, [used, { ...objectOf(given), ...options }])
    }
    return [name, make]
  })
  return Object.fromEntries(wrapped)
}

function connection(given: unknown): object {
  return typeof given === "string" ? { connectionString: given } : objectOf(given)
}

function objectOf(given: unknown): object {
  return typeof given === "object" && given !== null ? given : {}
}

/** The file of a database that doesn't exist yet. */
function newFile(name: string, location: unknown, root: string): string | undefined {
  const file = name === "sqlite" ? location : name === "libsql" ? fileOfUrl(location) : undefined
  if (typeof file !== "string" || file === ":memory:") return undefined
  return existsSync(resolve(root, file)) ? undefined : file
}

/** libSQL takes a URL, or a configuration with a URL. */
function fileOfUrl(location: unknown): string | undefined {
  const url = typeof location === "string" ? location : Reflect.get(objectOf(location), "url")
  if (typeof url !== "string" || !url.startsWith("file:")) return undefined
  return url.startsWith("file://") ? fileURLToPath(url) : url.slice("file:".length)
}
