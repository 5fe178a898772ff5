import { allCapabilities, testAdapter } from "@latchkey/adapter-kit"
import { mongodb, MongoDBAdapter } from "@latchkey/mongodb"
import { ObjectId } from "mongodb"
import { describe, test } from "vitest"
import { openNew } from "./clients.js"

const capabilities = allCapabilities.filter((capability) => capability !== "transaction")

testAdapter(
  {
    name: "a stand-in for MongoDB, with a client",
    create: async () => MongoDBAdapter(await openNew()),
    capabilities,
    webauthn: true,
  },
  { describe, test },
)

testAdapter(
  {
    name: "a stand-in for MongoDB, with a function, other names and ids of MongoDB",
    create: async () => {
      const client = await openNew()
      return mongodb(async () => client, {
        databaseName: "other",
        collections: { Users: "u", Accounts: "a", Sessions: "s", VerificationTokens: "v", Authenticators: "p" },
      })
    },
    newId: () => new ObjectId().toHexString(),
    capabilities,
    webauthn: true,
  },
  { describe, test },
)
