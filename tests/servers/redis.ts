import { findProgram, freePort, type Requirement, startServer, temporaryFolder } from "./process.js"

/** Starts an empty Redis on a free port. It doesn't write to disk. */
export const redis: Requirement<string> = {
  tests: "Redis tests",
  advice: "no Redis found: install it, or put the folder of `redis-server` or `valkey-server` in PATH",
  find: async () => startRedis(await freePort()),
}

/** A test that stops its server can start it again on the same port. `undefined`: this machine has no Redis. */
export async function startRedis(port: number): Promise<{ value: string; stop(): Promise<void> } | undefined> {
  const program = findProgram(["redis-server", "valkey-server"], ["/usr/bin", "/usr/local/bin"])
  if (program === undefined) return undefined
  const folder = await temporaryFolder("redis")
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
  const ready = /ready to accept connections/i
  const { stop } = await startServer({ program, args: ["--port", String(port), ...settings], folder, ready })
  return { value: `redis://127.0.0.1:${port}`, stop }
}
