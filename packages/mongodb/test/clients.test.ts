import { mongodb, MongoDBAdapter } from "@latchkey/mongodb"
import { describe, expect, test } from "vitest"
import { open, openNew } from "./clients.js"

const message = /MongoClient, a promise of one, or a function that returns either/

describe("what isn't a client is an error that says what to pass", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a connection string", "mongodb://localhost:27017/app"],
    ["a database", open("mongodb://localhost:1/app").db("app")],
    ["an object", {}],
  ])("%s", async (_, client) => {
    for (const create of [mongodb, MongoDBAdapter]) expect(() => create(client as never)).toThrow(message)
    const later = [Promise.resolve(client), () => client, async () => client]
    for (const source of later) await expect(mongodb(source as never).getUser("ada")).rejects.toThrow(message)
  })
})

test("a client, a promise of one, and a function that returns either are accepted", async () => {
  const client = await openNew()
  const sources = [client, Promise.resolve(client), client.connect(), () => client, () => client.connect()]
  for (const source of sources) expect(await mongodb(source).getUser("unknown")).toBeNull()
})
