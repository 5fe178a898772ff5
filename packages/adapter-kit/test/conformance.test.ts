import { allCapabilities, conformance, memoryAdapter, testAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { describe, expect, test } from "vitest"
import { ClassAdapter } from "./class-adapter.js"

testAdapter(
  { name: "memory adapter", create: memoryAdapter, webauthn: true, capabilities: allCapabilities },
  { describe, test },
)
testAdapter({ name: "class adapter", create: () => new ClassAdapter(), webauthn: true }, { describe, test })

/** Registers the tests with a fake test runner that records them. */
function registered(options: Parameters<typeof testAdapter>[0]) {
  const tests: { name: string; body: () => Promise<void> }[] = []
  let heading = ""
  testAdapter(options, {
    describe: (name, body) => {
      heading = name
      body()
    },
    test: (name, body) => tests.push({ name, body }),
  })
  return { heading, tests, names: tests.map(({ name }) => name) }
}

test("only the supported parts are registered", () => {
  const basic = registered({ name: "x", create: memoryAdapter }).names
  const more = registered({ name: "x", create: memoryAdapter, webauthn: true, capabilities: ["listSessions"] }).names
  const named = (part: string) => conformance.filter((each) => each.part === part).map(({ name }) => name)
  expect(basic).toEqual([...named("basic"), "every optional method of the adapter is tested"])
  expect(more.toSorted()).toEqual([...basic, ...named("webauthn"), ...named("listSessions")].toSorted())
})

test("a skipped case isn't registered", () => {
  const { names } = registered({ name: "x", create: memoryAdapter, skip: ["tokens.race"] })
  expect(names).not.toContain("of 20 parallel uses of one token exactly one succeeds")
})

test("an optional method that isn't listed in `capabilities` fails the suite", async () => {
  const { tests } = registered({ name: "x", create: memoryAdapter, capabilities: ["listAccounts"] })
  await expect(tests.at(-1)?.body()).rejects.toThrow(
    "also updateAccount, updateAuthenticator, deleteAuthenticator, describeAuthenticator, describeSession, listSessions, deleteSessions",
  )
})

test("the adapter is created once, and `reset` runs before each case", async () => {
  const calls: string[] = []
  const create = () => {
    calls.push("create")
    return new ClassAdapter()
  }
  const { heading, tests } = registered({ name: "mine", create, reset: () => void calls.push("reset") })
  for (const { body } of tests) await body()
  expect(heading).toBe("mine")
  expect(calls).toEqual(["create", ...tests.map(() => "reset")])
})

test("an adapter that stores seconds passes only with that precision", async () => {
  class Seconds extends ClassAdapter {
    override async createSession(session: { sessionToken: string; userId: string; expires: Date }) {
      return super.createSession({ ...session, expires: new Date(Math.floor(session.expires.getTime() / 1000) * 1000) })
    }
  }
  const create = conformance.find(({ id }) => id === "sessions.create")
  await create?.run(new Seconds(), { precision: "seconds" })
  await expect(create?.run(new Seconds())).rejects.toThrow(
    "createSession returns what is stored: expires is Date(2031-02-03T14:15:16.789Z): got Date(2031-02-03T14:15:16.000Z)",
  )
})

test("the error for a missing method contains its name", async () => {
  const { useVerificationToken: _, ...adapter }: Adapter = memoryAdapter()
  const use = conformance.find(({ id }) => id === "tokens.use")
  await expect(use?.run(adapter)).rejects.toThrow(
    "The adapter has the methods createVerificationToken, useVerificationToken: got no useVerificationToken",
  )
})
