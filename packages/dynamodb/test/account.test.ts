import { dynamodb } from "@latchkey/dynamodb"
import { describe } from "vitest"
import { testAccountFunctions } from "../../core/test/account/behaviors.js"
import { testFirstSignIns } from "../../core/test/flows/signin/first-sign-ins.js"
import { startTable } from "./tables.js"

describe("account functions with DynamoDB", () => {
  testAccountFunctions(async () => dynamodb((await startTable()).open()))
})

describe("first sign-ins with DynamoDB", () => {
  testFirstSignIns(async () => {
    const running = await startTable()
    return () => dynamodb(running.open())
  })
})
