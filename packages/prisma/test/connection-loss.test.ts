import { allCapabilities, testConnectionLoss } from "@latchkey/adapter-kit"
import { breakableProxy } from "@latchkey/adapter-kit/proxy"
import { prisma } from "@latchkey/prisma"
import { afterAll, describe, inject, test } from "vitest"
import { overPg } from "./clients.js"

const server = inject("postgres")

// With `@prisma/adapter-mariadb`, a lost connection leaves a promise of Prisma that rejects unhandled, also without this package.
describe.skipIf(server === undefined)("on PostgreSQL", async () => {
  const { host, port } = new URL(server ?? "postgres://localhost:1")
  const proxy = await breakableProxy({ host: "127.0.0.1", port: Number(port) })
  const route = (url: string) => url.replace(host, `${proxy.host}:${proxy.port}`)
  afterAll(() => proxy.close())
  const create = async () => prisma(await overPg("prisma_loss", "latchkey", { route }))
  const { breakConnection } = proxy
  const options = { create, breakConnection, capabilities: allCapabilities, webauthn: true }
  testConnectionLoss({ name: "when the connection breaks", ...options }, { describe, test })
})
