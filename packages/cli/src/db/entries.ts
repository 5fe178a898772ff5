import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { wrongUsage } from "../failure.js"

/** The function of `@latchkey/sql` that opens a database. */
export interface Entry {
  readonly entry: string
  readonly name: string
  /** Its connection string, or its file. */
  readonly location: string
}

const functions: Readonly<Record<string, string>> = {
  "postgres:": "postgres",
  "postgresql:": "postgres",
  "mysql:": "mysql",
  "mariadb:": "mysql",
  "libsql:": "libsql",
  "file:": "sqlite",
}

const inMemory = "file::memory:"

/** @throws Failure that names the URLs that work, but not this one: it may contain a password */
export function entryOf(url: string): Entry {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(url)?.[0].toLowerCase() ?? ""
  const name = functions[scheme]
  if (name === undefined) {
    throw wrongUsage(
      `${scheme === "" ? "The URL has no scheme." : `There is no adapter for ${scheme} URLs.`} Pass postgres://…, mysql://…, libsql://… or file:app.db.`,
    )
  }
  return { entry: `@latchkey/sql/${name}`, name, location: name === "sqlite" ? fileOf(url) : withScheme(url, name) }
}

/** The URL, with the path of a file relative to this folder. */
export function absolute(url: string, cwd: string): string {
  if (!url.startsWith("file:") || url.startsWith("file://") || url === inMemory) return url
  return `file:${resolve(cwd, url.slice("file:".length))}`
}

function fileOf(url: string): string {
  return url.startsWith("file://") ? fileURLToPath(url) : url.slice("file:".length)
}

/** The driver knows one name of the scheme. */
function withScheme(url: string, name: string): string {
  return name === "mysql" ? url.replace(/^mariadb:/i, "mysql:") : url
}
