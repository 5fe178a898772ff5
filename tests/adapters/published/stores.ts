import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { TableStorageAdapter } from "@auth/azure-tables-adapter"
import { D1Adapter, up } from "@auth/d1-adapter"
import { DynamoDBAdapter } from "@auth/dynamodb-adapter"
import { createIndexes, PouchDBAdapter } from "@auth/pouchdb-adapter"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { UpstashRedisAdapter } from "@auth/upstash-redis-adapter"
import { DynamoDB } from "@aws-sdk/client-dynamodb"
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import { Redis } from "@upstash/redis"
import dynalite from "dynalite"
import { Miniflare } from "miniflare"
import PouchDB from "pouchdb"
import memory from "pouchdb-adapter-memory"
import find from "pouchdb-find"
import { createStorage } from "unstorage"
import { inject } from "vitest"
import { azurite } from "../bridges/azurite.js"
import { upstashBridge } from "../bridges/upstash.js"
import { adapterOf, type Opened, type Entry } from "./published.js"

export const overStores: readonly Entry[] = [
  { name: "@auth/unstorage-adapter", database: "memory", open: openUnstorage },
  { name: "@auth/upstash-redis-adapter", database: "Redis", needs: "redis", open: openUpstash },
  { name: "@auth/d1-adapter", database: "D1 in workerd", open: openD1 },
  { name: "@auth/dynamodb-adapter", database: "dynalite", open: openDynamo },
  { name: "@auth/azure-tables-adapter", database: "Azurite", open: openAzure },
  { name: "@auth/pouchdb-adapter", database: "PouchDB in memory", open: openPouch },
]

async function openUnstorage(): Promise<Opened> {
  const storage = createStorage()
  return { adapter: adapterOf(UnstorageAdapter(storage)), close: () => storage.dispose() }
}

async function openUpstash(route: (url: string) => string): Promise<Opened> {
  const { url, close } = await upstashBridge(route(inject("redis") ?? ""))
  const client = new Redis({ url, token: "any", enableTelemetry: false })
  return {
    adapter: adapterOf(UpstashRedisAdapter(client, { baseKeyPrefix: `published:${crypto.randomUUID()}:` })),
    close,
  }
}

async function openD1(): Promise<Opened> {
  const { binding, close } = await newD1()
  await up(binding)
  return { adapter: adapterOf(D1Adapter(binding)), close }
}

/** A new database, which `workerd` runs. */
export async function newD1() {
  const script = "export default { fetch: () => new Response() }"
  const worker = new Miniflare({ modules: true, script, d1Databases: ["DB"] })
  return { binding: await worker.getD1Database("DB"), close: () => worker.dispose() }
}

async function openDynamo(): Promise<Opened> {
  const server = dynalite({ createTableMs: 0 })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server with a port has an address object.
  const { port } = server.address() as AddressInfo
  const credentials = { accessKeyId: "test", secretAccessKey: "test" }
  const client = new DynamoDB({ endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", credentials })
  await createTable(client)
  const documents = DynamoDBDocument.from(client, {
    marshallOptions: { convertEmptyValues: true, removeUndefinedValues: true, convertClassInstanceToMap: true },
  })
  const close = async (): Promise<void> => {
    client.destroy()
    server.close()
  }
  return { adapter: adapterOf(DynamoDBAdapter(documents)), close }
}

async function createTable(client: DynamoDB): Promise<void> {
  const key = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: "HASH" as const },
    { AttributeName: range, KeyType: "RANGE" as const },
  ]
  await client.createTable({
    TableName: "next-auth",
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: key("pk", "sk"),
    AttributeDefinitions: ["pk", "sk", "GSI1PK", "GSI1SK"].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    GlobalSecondaryIndexes: [
      { IndexName: "GSI1", KeySchema: key("GSI1PK", "GSI1SK"), Projection: { ProjectionType: "ALL" } },
    ],
  })
  while ((await client.describeTable({ TableName: "next-auth" })).Table?.TableStatus !== "ACTIVE");
}

async function openAzure(): Promise<Opened> {
  const { client, close } = await azurite()
  return { adapter: adapterOf(TableStorageAdapter(client)), close }
}

async function openPouch(): Promise<Opened> {
  PouchDB.plugin(memory).plugin(find)
  const pouchdb = new PouchDB(crypto.randomUUID(), { adapter: "memory" })
  await createIndexes(pouchdb)
  return { adapter: adapterOf(PouchDBAdapter({ pouchdb })), close: () => pouchdb.destroy() }
}
