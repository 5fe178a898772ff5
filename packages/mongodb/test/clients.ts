import { MongoClient } from "mongodb"
import { afterAll } from "vitest"
import { startStandIn } from "./server/start.js"

const clients: MongoClient[] = []

/** Opens another client, as another process would. It's closed after the tests of the file. */
export function open(url: string): MongoClient {
  if (clients.length === 0) {
    afterAll(async () => {
      for (const client of clients.splice(0)) await client.close(true)
    })
  }
  const client = new MongoClient(url)
  clients.push(client)
  return client
}

/** A client of a server of its own. */
export async function openNew(): Promise<MongoClient> {
  return open((await startStandIn()).url)
}
