import { mongodb } from "@latchkey/mongodb"
import { describe } from "vitest"
import { testAccountFunctions } from "../../core/test/account/behaviors.js"
import { testFirstSignIns } from "../../core/test/flows/signin/first-sign-ins.js"
import { open, openNew } from "./clients.js"
import { startStandIn } from "./server/start.js"

describe("account functions with a stand-in for MongoDB", () => {
  testAccountFunctions(async () => mongodb(await openNew()))
})

describe("first sign-ins with a stand-in for MongoDB", () => {
  testFirstSignIns(async () => {
    const { url } = await startStandIn()
    return () => mongodb(open(url))
  })
})
