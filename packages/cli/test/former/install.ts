import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"

/** What the applications that are moved have. */
const packages = {
  "better-auth": "1.7.7",
  "@better-auth/passkey": "1.7.6",
  lucia: "3.2.2",
  "@lucia-auth/adapter-sqlite": "3.0.2",
  "@lucia-auth/adapter-postgresql": "3.1.2",
  pg: "8.23.1",
}

/** Installs the other libraries from the npm registry. */
export async function installFormer(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-former-"))
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }))
  const args = ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", "--ignore-scripts"]
  await promisify(execFile)("npm", args, { cwd: folder })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A module of a package that is installed there. Its types aren't: the caller names what it uses. */
export async function formerModule<Exports>(folder: string, name: string): Promise<Exports> {
  const path = createRequire(join(folder, "package.json")).resolve(name)
  return (await import(pathToFileURL(path).href)) as Exports
}

interface Pool {
  query(sql: string): Promise<unknown>
  end(): Promise<void>
}

export async function poolOf(folder: string, connectionString: string): Promise<Pool> {
  const { Pool } = (
    await formerModule<{ readonly default: { readonly Pool: new (options: object) => Pool } }>(folder, "pg")
  ).default
  return new Pool({ connectionString })
}
