import type { SqliteDatabase } from "./sqlite-driver.js"

/** Opens a file. A locked database throws an error instead of blocking the event loop. */
export type OpenSqlite = (filename: string) => SqliteDatabase

/** Finds the SQLite of the runtime, or `better-sqlite3`. */
export async function findSqlite(): Promise<OpenSqlite> {
  return fromBun() ?? fromNode() ?? (await fromPackage())
}

type Constructor = new (filename: string, options?: { readonly timeout: number }) => SqliteDatabase

function fromBun(): OpenSqlite | undefined {
  const Database = builtin("bun:sqlite", "Database")
  return Database && ((filename) => new Database(filename))
}

/** Node 22.13 or newer, and Deno 2.2 or newer. */
function fromNode(): OpenSqlite | undefined {
  const DatabaseSync = builtin("node:sqlite", "DatabaseSync")
  return DatabaseSync && ((filename) => new DatabaseSync(filename))
}

/** Not an import, because bundlers would look for the module, and runtimes without it would fail. */
function builtin(module: string, name: string): Constructor | undefined {
  // Node 20.16 and 22.3 added the function.
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => object | undefined } }
  const found = process?.getBuiltinModule?.(module)
  return found && (Reflect.get(found, name) as Constructor)
}

async function fromPackage(): Promise<OpenSqlite> {
  // Bundlers for the edge would fail on the module, which is loaded nowhere else.
  const { createRequire } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "node:module").catch(
    () => {
      throw new Error(unsupported)
    },
  )
  // The working directory is for a bundled application, whose files are elsewhere.
  const places = [import.meta.url, `file://${process.cwd()}/`].map((place) => createRequire(place))
  const found = places.find((require) => resolves(require, name))
  if (found === undefined) throw new Error(`${unsupported} ${advice}`)
  const version = versionOf(found)
  assertRuns(version)
  const Database = load(found, version)
  return (filename) => new Database(filename, { timeout: 0 })
}

/** Its native module is loaded with the first database. */
function load(require: NodeJS.Require, version: string): Constructor {
  try {
    const Database = require(name) as Constructor
    new Database(":memory:").close()
    return Database
  } catch (cause) {
    throw new Error(`better-sqlite3 ${version} is installed, but it can't be loaded. Run \`npm rebuild ${name}\`.`, {
      cause,
    })
  }
}

const name = "better-sqlite3"
const unsupported = "This runtime has no built-in SQLite."
const advice =
  "Update to Node 22.13 or newer, or install `better-sqlite3` 12. Bun and Deno 2.2 work too. On an edge runtime, use another adapter."

function resolves(require: NodeJS.Require, id: string): boolean {
  try {
    require.resolve(id)
    return true
  } catch {
    return false
  }
}

function versionOf(require: NodeJS.Require): string {
  const manifest: unknown = require(`${name}/package.json`)
  return (manifest as { version: string }).version
}

/** Version 13 needs Node-API 10 (Node 22.14). On an older Node, it ends the process with a segmentation fault. */
function assertRuns(version: string): void {
  if (Number(process.versions["napi"]) >= 10 || Number.parseInt(version, 10) < 13) return
  throw new Error(
    `better-sqlite3 ${version} doesn't work on Node ${process.versions.node}. Install \`better-sqlite3\` 12, or update Node.`,
  )
}
