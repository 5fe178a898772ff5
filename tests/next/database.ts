import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import type { AdapterUser } from "@latchkey/core/adapters"
import { memoryAdapter, type MemoryAdapter } from "@latchkey/adapter-kit/memory"

/** A database that outlives the applications that use it. They call the methods of its adapter over HTTP. */
export interface Database {
  readonly url: string
  readonly adapter: MemoryAdapter
  close(): Promise<void>
}

export async function startDatabase(): Promise<Database> {
  const memory = memoryAdapter()
  // next-auth leaves the id to the adapter.
  const adapter = {
    ...memory,
    createUser: (user: AdapterUser) => memory.createUser(Object.assign({ id: randomUUID() }, user)),
  }
  const call = async (given: unknown): Promise<unknown> => {
    const { method, args } = given as {
      readonly method: Exclude<keyof MemoryAdapter, "records">
      readonly args: readonly unknown[]
    }
    return Reflect.apply(adapter[method], adapter, args.map(withDates))
  }
  const server = createServer((req, res) => {
    json(req)
      .then(call)
      .then((result) => res.end(JSON.stringify({ result: result ?? null })))
      .catch(() => res.writeHead(500).end())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, "close")
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, adapter, close }
}

function withDates(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  const dated = (name: string, field: unknown) =>
    dates.has(name) && typeof field === "string" ? new Date(field) : field
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, dated(name, field)]))
}

const dates: ReadonlySet<string> = new Set(["emailVerified", "expires"])
