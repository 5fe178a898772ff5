const methods = ["get", "put", "update", "delete", "query"] as const

export function assertClient(client: unknown): void {
  if (methods.every((name) => typeof Reflect.get(Object(client), name) === "function")) return
  throw new TypeError(
    "This isn't a document client. Pass what `DynamoDBDocument.from(client)` of `@aws-sdk/lib-dynamodb` returns.",
  )
}

/** The same methods. DynamoDB doesn't say which table doesn't exist, so their errors do. */
export function namingTable<Methods extends object>(adapter: Methods, tableName: string): Methods {
  const named = Object.entries(adapter).map(([name, method]) => [
    name,
    async (...values: unknown[]) => {
      try {
        return await Reflect.apply(method, adapter, values)
      } catch (error) {
        throw withTable(error, tableName)
      }
    },
  ])
  // Each method has the same arguments and result, and all of them return promises.
  return Object.fromEntries(named) as Methods
}

/** Keeps the name, by which code recognizes an error of the AWS SDK. */
function withTable(error: unknown, tableName: string): unknown {
  if (!(error instanceof Error && error.name === "ResourceNotFoundException")) return error
  const message = `DynamoDB has no table "${tableName}" in the region and account of the client. Create it, or set \`tableName\`.`
  return Object.assign(new Error(message, { cause: error }), { name: error.name })
}
