import { allCapabilities, testConnectionLoss } from "@latchkey/adapter-kit"
import { breakableProxy } from "@latchkey/adapter-kit/proxy"
import { drizzle } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as pgTables from "@latchkey/drizzle/pg"
import type { Adapter } from "@latchkey/core/adapters"
import { afterAll, describe, inject, test } from "vitest"
import { mysql2, nodePostgres } from "./databases.js"

type Route = (url: string) => string

const servers: readonly [need: "postgres" | "mariadb", open: (route: Route) => Promise<Adapter>][] = [
  [
    "postgres",
    async (route) => {
      const db = await nodePostgres("drizzle_loss", pgTables, { route })
      // An application needs it too: pg reports lost connections that aren't in use to the pool.
      db.$client.on("error", () => {})
      return drizzle(db, pgTables)
    },
  ],
  ["mariadb", async (route) => drizzle(await mysql2("drizzle_loss", mysqlTables, { route }), mysqlTables)],
]

for (const [need, open] of servers) {
  const server = inject(need)
  describe.skipIf(server === undefined)(`on ${need}`, async () => {
    const { port, host } = new URL(server ?? "tcp://localhost:1")
    const proxy = await breakableProxy({ host: "127.0.0.1", port: Number(port) })
    afterAll(() => proxy.close())
    const create = () => open((url) => url.replace(host, `${proxy.host}:${proxy.port}`))
    const { breakConnection } = proxy
    const options = { create, breakConnection, capabilities: allCapabilities, webauthn: true }
    testConnectionLoss({ name: "when the connection breaks", ...options }, { describe, test })
  })
}
