import { anything, assertOptions, type EveryOption } from "@latchkey/core/options"
import type { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import { accountMethods } from "./accounts.js"
import { authenticatorMethods } from "./authenticators.js"
import { assertClient, namingTable } from "./client.js"
import { defaultTable, type DynamoDBAdapterOptions } from "./options.js"
import { recordStore } from "./records.js"
import { sessionMethods } from "./sessions.js"
import { createTable } from "./table.js"
import { tokenMethods } from "./tokens.js"
import { userMethods } from "./users.js"

/** An adapter over one table of DynamoDB. It has all methods except for `transaction` and `rateLimits`. */
export interface LatchkeyDynamoDBAdapter extends Required<Omit<Adapter, "transaction" | "rateLimits" | "records">> {
  /** Where modules keep their data. The default for `records` of the configuration. */
  readonly records: RecordStore
}

const optionNames: EveryOption<DynamoDBAdapterOptions> = {
  tableName: anything,
  partitionKey: anything,
  sortKey: anything,
  indexName: anything,
  indexPartitionKey: anything,
  indexSortKey: anything,
}

/**
 * Creates an adapter for DynamoDB. It uses the table of `@auth/dynamodb-adapter`, reads what that adapter wrote, and writes what it
 * can read. Further items make emails and accounts unique, and let every read see the last write.
 *
 * Errors of the AWS SDK are passed on; that of a missing table names the table. The SDK repeats throttled requests; set `maxAttempts` of the client to change that.
 *
 * @throws TypeError if `client` isn't a `DynamoDBDocument`, or if there is no such option
 * @example
 * ```ts
 * import { DynamoDB } from "@aws-sdk/client-dynamodb"
 * import { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
 * import { dynamodb } from "@latchkey/dynamodb"
 *
 * const adapter = dynamodb(DynamoDBDocument.from(new DynamoDB()), { tableName: "auth" })
 * ```
 */
export function dynamodb(client: DynamoDBDocument, options: DynamoDBAdapterOptions = {}): LatchkeyDynamoDBAdapter {
  assertOptions("dynamodb", options, optionNames)
  assertClient(client)
  const table = createTable(client, options)
  const adapter = {
    ...userMethods(table),
    ...accountMethods(table),
    ...sessionMethods(table),
    ...tokenMethods(table),
    ...authenticatorMethods(table),
  }
  const tableName = options.tableName ?? defaultTable
  const { atomic, ...records } = recordStore(table)
  return { ...namingTable(adapter, tableName), records: { atomic, ...namingTable(records, tableName) } }
}

/** {@link dynamodb} with the name that it has in `@auth/dynamodb-adapter`. */
export function DynamoDBAdapter(
  client: DynamoDBDocument,
  options: DynamoDBAdapterOptions = {},
): LatchkeyDynamoDBAdapter {
  return dynamodb(client, options)
}
