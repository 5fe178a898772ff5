import fc from "fast-check"
import { steps } from "./step.js"

const methods = [
  "createUser",
  "linkAccount",
  "getUserByAccount",
  "getUserByEmail",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "updateUser",
]

export const failingDatabase = steps({
  does: "the next call of a method of the database fails",
  data: fc.constantFrom(...methods),
  async run({ store }, method) {
    if (store !== undefined) store.failAt = method
  },
})

export const failingMail = steps({
  does: "the next message isn't sent",
  data: fc.constant("down"),
  async run({ mail }) {
    mail.isDown = true
  },
})
