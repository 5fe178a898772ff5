import { DynamoDB, DynamoDBClient } from "@aws-sdk/client-dynamodb"
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb"
import { dynamodb, DynamoDBAdapter } from "@latchkey/dynamodb"
import { describe, expect, test } from "vitest"
import { startTable } from "./tables.js"

const region = { region: "us-east-1" }

describe("what isn't a document client is an error that says what to pass", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["the name of a table", "auth"],
    ["a client of the low-level API", new DynamoDB(region)],
    ["a client that only sends commands", new DynamoDBClient(region)],
    ["a document client that only sends commands", DynamoDBDocumentClient.from(new DynamoDBClient(region))],
  ])("%s", (_, client) => {
    for (const create of [dynamodb, DynamoDBAdapter])
      expect(() => create(client as never)).toThrow("Pass what `DynamoDBDocument.from(client)`")
  })
})

test("a table that doesn't exist is named", async () => {
  const client = (await startTable()).open()
  const user = { id: "ada", email: "ada@example.com", emailVerified: null }
  const adapter = dynamodb(client, { tableName: "another" })
  const calls = [async () => adapter.getUser("ada"), async () => adapter.createUser(user)]
  for (const call of calls) {
    await expect(call()).rejects.toMatchObject({
      name: "ResourceNotFoundException",
      message: expect.stringContaining('no table "another"'),
      cause: { $metadata: { httpStatusCode: 400 } },
    })
  }
  expect(await dynamodb(client).getUser("ada")).toBeNull()
})
