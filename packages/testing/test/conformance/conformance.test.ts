import {
  BrokenModule,
  moduleConformance,
  type ModuleSubject,
  testModule,
  type TestModuleOptions,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { keys } from "./keys.js"
import { pin } from "./pin.js"
import { authenticatorApp } from "./totp.js"

const runner = { describe, test }

testModule({ name: "an authenticator app", ...authenticatorApp }, runner)
testModule({ name: "a PIN as a factor", ...pin() }, runner)
testModule({ name: "API keys", ...keys() }, runner)

/** The titles of the tests that are registered. */
function titlesOf(options: TestModuleOptions): readonly string[] {
  const titles: string[] = []
  testModule(options, {
    describe(name, body) {
      titles.push(name)
      body()
    },
    test: (name) => titles.push(name),
  })
  return titles
}

test("each case is a test, unless it's skipped", () => {
  const all = moduleConformance.map(({ name }) => name)
  expect(titlesOf({ name: "mine", ...pin() })).toEqual(["mine", ...all])
  const [first] = moduleConformance
  expect(titlesOf({ name: "mine", ...pin(), skip: [first?.id ?? ""] })).toEqual(["mine", ...all.slice(1)])
})

const run = async (id: string, subject: ModuleSubject) => moduleConformance.find((each) => each.id === id)?.run(subject)

test("a failure says what is required, and what the module did", async () => {
  const broken = pin(() => ({ parts: () => ({ revoke: () => undefined }) }))
  await expect(run("module.revoke", broken)).rejects.toThrow(
    new BrokenModule("`revoke` ends what the module issued: got something that works"),
  )
})

test("an error of `enroll` is passed on", async () => {
  const enroll = () => Promise.reject(new Error("The page has no form"))
  await expect(run("module.delete", { ...pin(), enroll })).rejects.toThrow("The page has no form")
})

test("a module that holds sign-ins can't be tested without an answer", async () => {
  const good = pin()
  const enroll: ModuleSubject["enroll"] = async (user) => {
    await good.enroll?.(user)
    return {}
  }
  await expect(run("module.delete", { ...good, enroll })).rejects.toThrow("`enroll` returns `answer`")
})
