import { expect, test } from "vitest"
import { compile } from "../config/compile.js"
import type { Adapter } from "../model/adapter.js"
import type { Auth } from "../model/auth.js"
import { inTurn } from "./in-turn.js"

function authOf(adapter: Adapter = {}): Auth {
  return compile({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    providers: [],
    adapter,
    session: { strategy: "jwt" },
  })
}

/** Work that ends when it is told to, and says when it has begun. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async () => {
    begun.push(name)
    await new Promise<void>((resolve) => void ends.set(name, resolve))
    return name
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await turns()
  }
  return { begun, work, end }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
}

test("work on one thing waits for all earlier work on it, in order", async () => {
  const auth = authOf()
  const { begun, work, end } = works()
  const results = [inTurn(auth, "ada", work("1")), inTurn(auth, "ada", work("2"))]
  await turns()
  expect(begun).toEqual(["1"])
  await end("1")
  expect(begun).toEqual(["1", "2"])
  results.push(inTurn(auth, "ada", work("3")))
  await turns()
  expect(begun).toEqual(["1", "2"])
  await end("2")
  await end("3")
  expect(await Promise.all(results)).toEqual(["1", "2", "3"])
})

test("work on another thing does not wait", async () => {
  const auth = authOf()
  const { begun, work } = works()
  void inTurn(auth, "ada", work("1"))
  void inTurn(auth, "bob", work("2"))
  await turns()
  expect(begun).toEqual(["1", "2"])
})

test("configurations made anew for one store wait for each other, those of two stores do not", async () => {
  const store: Adapter = {}
  const { begun, work, end } = works()
  void inTurn(authOf(store), "ada", work("1"))
  void inTurn(authOf(store), "ada", work("2"))
  void inTurn(authOf(), "ada", work("3"))
  await turns()
  expect(begun).toEqual(["1", "3"])
  await end("1")
  expect(begun).toEqual(["1", "3", "2"])
})

test("work that failed lets the next one begin, and tells its own caller", async () => {
  const auth = authOf()
  const failed = inTurn(auth, "ada", () => Promise.reject(new Error("disk full")))
  const next = inTurn(auth, "ada", () => Promise.resolve("done"))
  await expect(failed).rejects.toThrow("disk full")
  expect(await next).toBe("done")
})
