import { execFileSync, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { createClient } from "redis"
import { freePort, programs, unprivileged, untilReady } from "../postgres.mjs"

/** Everything else has its default: `fsync`, `synchronous_commit`, `full_page_writes` and `autovacuum` are on. */
export const postgresSettings = {
  shared_buffers: "6GB",
  max_wal_size: "8GB",
  maintenance_work_mem: "512MB",
  max_connections: 400,
}

/** Everything else has its default. */
export const redisSettings = { appendonly: "yes", appendfsync: "everysec", save: "", databases: 32 }

/**
 * Starts PostgreSQL and Redis on loopback.
 * @param {string} [kept] a folder that keeps the data for the next run
 */
export async function startServers(kept) {
  const folder = kept ?? mkdtempSync(join(tmpdir(), "bench-scale-"))
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const postgres = await startPostgres(join(folder, "postgres"))
  const redis = await startRedis(join(folder, "redis"))
  const stop = async () => {
    await Promise.all([postgres.stop(), redis?.stop()])
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
  return {
    postgres: postgres.url,
    redis: redis?.url,
    pids: { postgres: postgres.pid, ...(redis && { redis: redis.pid }) },
    folder,
    stop,
  }
}

async function startPostgres(folder) {
  const bin = programs()
  if (bin === undefined) throw new Error("PostgreSQL isn't installed. Install it, or put its programs in PATH.")
  const as = unprivileged()
  mkdirSync(folder, { recursive: true })
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid)
  const data = join(folder, "data")
  const options = { ...as, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" }, stdio: "ignore" }
  if (!existsSync(join(data, "PG_VERSION")))
    execFileSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8"], options)
  const port = await freePort()
  const settings = { ...postgresSettings, listen_addresses: "127.0.0.1", port, unix_socket_directories: folder }
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(join(bin, "postgres"), ["-D", data, ...flags], options)
  const exited = new Promise((resolve) => server.once("exit", resolve))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url)
  const stop = async () => {
    server.kill("SIGINT")
    await exited
  }
  return { url, stop, pid: server.pid }
}

async function startRedis(folder) {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const settings = { ...redisSettings, bind: "127.0.0.1", port, dir: folder }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = spawn("redis-server", flags, { stdio: "ignore" })
  const failed = new Promise((resolve) => server.once("error", () => resolve(true)))
  const exited = new Promise((resolve) => server.once("exit", resolve))
  const url = `redis://127.0.0.1:${port}`
  if (await Promise.race([failed, untilAnswers(url)])) return undefined
  const stop = async () => {
    server.kill("SIGTERM")
    await exited
  }
  return { url, stop, pid: server.pid }
}

/** Redis reads its append-only file before it answers. */
async function untilAnswers(url) {
  for (;;) {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on("error", () => {})
    const ready = await client.connect().then(
      () =>
        client.ping().then(
          () => true,
          () => false,
        ),
      () => false,
    )
    client.destroy()
    if (ready) return false
    await pause(100)
  }
}
