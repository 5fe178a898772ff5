import { allCapabilities, testAdapter } from "@latchkey/adapter-kit"
import { DynamoDBAdapter, dynamodb } from "@latchkey/dynamodb"
import { describe, test } from "vitest"
import { otherNames, startTable } from "./tables.js"

const capabilities = allCapabilities.filter((capability) => capability !== "transaction")

testAdapter(
  {
    name: "a table with the default names",
    create: async () => DynamoDBAdapter((await startTable()).open()),
    capabilities,
    webauthn: true,
  },
  { describe, test },
)

testAdapter(
  {
    name: "a table with other names",
    create: async () => dynamodb((await startTable(otherNames)).open(), otherNames),
    capabilities,
    webauthn: true,
  },
  { describe, test },
)
