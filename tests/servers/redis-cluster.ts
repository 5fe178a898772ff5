import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { findProgram, freePort, type Requirement, startServer, temporaryFolder } from "./process.js"

const run = promisify(execFile)
const folders = ["/usr/bin", "/usr/local/bin"]

/** Starts an empty Redis Cluster of three servers without replicas on free ports. */
export const redisCluster: Requirement<readonly string[]> = {
  tests: "Redis Cluster tests",
  advice: "no Redis found: install it, or put the folder of `redis-server` and `redis-cli` in PATH",
  async find() {
    const program = findProgram(["redis-server", "valkey-server"], folders)
    const cli = findProgram(["redis-cli", "valkey-cli"], folders)
    if (program === undefined || cli === undefined) return undefined
    const servers = await Promise.all([start(program), start(program), start(program)])
    const stop = async (): Promise<void> => void (await Promise.all(servers.map((server) => server.stop())))
    const addresses = servers.map(({ port }) => `127.0.0.1:${port}`)
    await run(cli, ["--cluster", "create", ...addresses, "--cluster-yes"])
    await coversAllSlots(cli, servers[0].port)
    return { value: addresses.map((address) => `redis://${address}`), stop }
  },
}

async function start(program: string): Promise<{ port: number; stop(): Promise<void> }> {
  const [port, folder] = await Promise.all([clusterPort(), temporaryFolder("redis-cluster")])
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder]
  const args = ["--port", String(port), "--cluster-enabled", "yes", ...settings]
  const { stop } = await startServer({ program, args, folder, ready: /ready to accept connections/i })
  return { port, stop }
}

/** The servers talk to each other on a second port, which is 10,000 higher. */
async function clusterPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port < 55_000) return port
  }
}

/** Creating the cluster returns before every server knows it. */
async function coversAllSlots(cli: string, port: number): Promise<void> {
  for (;;) {
    const { stdout } = await run(cli, ["-p", String(port), "cluster", "info"])
    if (stdout.includes("cluster_state:ok")) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
