import { once } from "node:events"
import type { Server } from "node:http"
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb"
import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import dynalite from "dynalite"
import { afterAll } from "vitest"
import { withTransactions } from "./transactions.js"

/** Names that a table can have, other than the default ones. */
export const otherNames = {
  tableName: "auth",
  partitionKey: "partition",
  sortKey: "sort",
  indexName: "byOther",
  indexPartitionKey: "indexPartition",
  indexSortKey: "indexSort",
}

export const defaultNames = {
  tableName: "next-auth",
  partitionKey: "pk",
  sortKey: "sk",
  indexName: "GSI1",
  indexPartitionKey: "GSI1PK",
  indexSortKey: "GSI1SK",
}

export interface Running {
  readonly server: Server
  /** Opens another client. */
  open(): DynamoDBDocument
  /**
   * Closes the connection of the n-th request from now on and of all later ones, before the server executes it, or after it with
   * the response lost. `repair` ends that.
   */
  breakAt(request: number, when: "before" | "after"): void
  repair(): void
}

/** Starts a server with an empty table. It stops after the tests of the file. */
export async function startTable(names = defaultNames): Promise<Running> {
  const server = dynalite({ createTableMs: 0 })
  await once(server.listen(0, "127.0.0.1"), "listening")
  withTransactions(server, [names.partitionKey, names.sortKey])
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port")
  const clients: DynamoDBClient[] = []
  const connect = (): DynamoDBClient => {
    const client = new DynamoDBClient({
      endpoint: `http://127.0.0.1:${address.port}`,
      region: "us-east-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      maxAttempts: 1,
    })
    clients.push(client)
    return client
  }
  afterAll(async () => {
    for (const client of clients) client.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  await createTable(connect(), names)
  return { server, open: () => DynamoDBDocument.from(connect()), ...breakable(server) }
}

function breakable(server: Server): Pick<Running, "breakAt" | "repair"> {
  const handlers = server.listeners("request")
  let [requests, breaksAt, breaksAfter] = [0, Number.POSITIVE_INFINITY, false]
  server.removeAllListeners("request")
  server.on("request", (request, response) => {
    requests += 1
    if (requests >= breaksAt) {
      if (!breaksAfter) return void request.socket.destroy()
      response.end = () => {
        request.socket.destroy()
        return response
      }
    }
    for (const handle of handlers) Reflect.apply(handle, server, [request, response])
  })
  return {
    breakAt: (request, when) => {
      requests = 0
      breaksAt = request
      breaksAfter = when === "after"
    },
    repair: () => {
      breaksAt = Number.POSITIVE_INFINITY
    },
  }
}

async function createTable(client: DynamoDBClient, names: typeof defaultNames): Promise<void> {
  const key = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: "HASH" as const },
    { AttributeName: sort, KeyType: "RANGE" as const },
  ]
  const attributes = [names.partitionKey, names.sortKey, names.indexPartitionKey, names.indexSortKey]
  await client.send(
    new CreateTableCommand({
      TableName: names.tableName,
      AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: "S" })),
      KeySchema: key(names.partitionKey, names.sortKey),
      GlobalSecondaryIndexes: [
        {
          IndexName: names.indexName,
          KeySchema: key(names.indexPartitionKey, names.indexSortKey),
          Projection: { ProjectionType: "ALL" },
        },
      ],
      BillingMode: "PAY_PER_REQUEST",
    }),
  )
  const describe = new DescribeTableCommand({ TableName: names.tableName })
  while ((await client.send(describe)).Table?.TableStatus !== "ACTIVE");
}
