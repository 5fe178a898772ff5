import { execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"

export function programs() {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(":")]
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")))
}

/** PostgreSQL refuses to run as root. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

export async function untilReady(url) {
  for (let left = 100; ; left--) {
    const client = new pg.Client({ connectionString: url })
    const ready = await client.connect().then(
      () => true,
      (error) => left === 0 && Promise.reject(error),
    )
    await client.end().catch(() => {})
    if (ready) return
    await pause(50)
  }
}

/**
 * Starts PostgreSQL on a free loopback port, in a temporary folder.
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | undefined>} `undefined` if PostgreSQL isn't installed
 */
export async function startPostgres() {
  const bin = programs()
  if (bin === undefined) return undefined
  const as = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), "bench-pg-"))
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid)
  const data = join(folder, "data")
  const options = { ...as, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" }, stdio: "ignore" }
  execFileSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"], options)
  const port = await freePort()
  const settings = { listen_addresses: "127.0.0.1", port, unix_socket_directories: folder, fsync: "off" }
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(join(bin, "postgres"), ["-D", data, ...flags], options)
  const exited = new Promise((resolve) => server.once("exit", resolve))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url)
  const stop = async () => {
    server.kill("SIGINT")
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, stop }
}

/** A pool for an empty schema of that name, so that the engines don't share tables. */
export async function poolOf(url, schema) {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`drop schema if exists ${schema} cascade`)
  await admin.query(`create schema ${schema}`)
  await admin.end()
  return new pg.Pool({ connectionString: url, max: 4, options: `-c search_path=${schema}` })
}
