import { describe, expect, test } from "vitest"
import { createKeyedMutex, mutexOf, siteOf } from "./state.js"

/** Work that finishes when `finish` is called with its name. */
function controlledWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async () => {
    started.push(name)
    await new Promise<void>((resolve) => void ends.set(name, resolve))
    return name
  }
  const finish = async (name: string) => {
    ends.get(name)?.()
    await turns()
  }
  return { started, work, finish }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
}

describe("runExclusive", () => {
  test("runs work with one key in order, each after all earlier work", async () => {
    const { runExclusive } = createKeyedMutex()
    const { started, work, finish } = controlledWork()
    const results = [runExclusive("ada", work("1")), runExclusive("ada", work("2"))]
    await turns()
    expect(started).toEqual(["1"])
    await finish("1")
    expect(started).toEqual(["1", "2"])
    results.push(runExclusive("ada", work("3")))
    await turns()
    expect(started).toEqual(["1", "2"])
    await finish("2")
    await finish("3")
    expect(await Promise.all(results)).toEqual(["1", "2", "3"])
  })

  test("runs work with different keys at the same time", async () => {
    const { runExclusive } = createKeyedMutex()
    const { started, work } = controlledWork()
    void runExclusive("ada", work("1"))
    void runExclusive("bob", work("2"))
    await turns()
    expect(started).toEqual(["1", "2"])
  })

  test("runs work with two keys after earlier work with either", async () => {
    const { runExclusive } = createKeyedMutex()
    const { started, work, finish } = controlledWork()
    void runExclusive("ada", work("1"))
    void runExclusive("bob", work("2"))
    void runExclusive(["ada", "bob"], work("3"))
    void runExclusive("bob", work("4"))
    void runExclusive("ada", work("5"))
    await finish("1")
    expect(started).toEqual(["1", "2"])
    await finish("2")
    expect(started).toEqual(["1", "2", "3"])
    await finish("3")
    expect(started).toEqual(["1", "2", "3", "4", "5"])
  })

  test("lets the next work see what the one before it wrote", async () => {
    const { runExclusive } = createKeyedMutex()
    let count = 0
    const add = async () => {
      const before = count
      await Promise.resolve()
      count = before + 1
      return count
    }
    expect(await Promise.all([1, 2, 3].map(() => runExclusive("a", add)))).toEqual([1, 2, 3])
    expect(await runExclusive("a", add)).toBe(4)
  })

  test("continues after work that failed, and rejects for its caller", async () => {
    const { runExclusive } = createKeyedMutex()
    const failed = runExclusive("ada", () => Promise.reject(new Error("disk full")))
    const next = runExclusive("ada", () => Promise.resolve("done"))
    await expect(failed).rejects.toThrow("disk full")
    expect(await next).toBe("done")
  })
})

describe("tryExclusive", () => {
  test("doesn't run work while other work holds the key", async () => {
    const { tryExclusive } = createKeyedMutex()
    const { started, work, finish } = controlledWork()
    const first = tryExclusive("token", work("1"))
    expect(await tryExclusive("token", work("2"))).toBeUndefined()
    await finish("1")
    expect(await first).toBe("1")
    expect(started).toEqual(["1"])
    expect(await tryExclusive("token", async () => "3")).toBe("3")
  })

  test("releases the key when the work fails", async () => {
    const { tryExclusive } = createKeyedMutex()
    await expect(tryExclusive("token", () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full")
    expect(await tryExclusive("token", async () => "again")).toBe("again")
  })
})

test("configurations that share a secret share a mutex, others don't", async () => {
  const clock = {}
  const of = (...secrets: string[]) => mutexOf({ site: siteOf(secrets, clock) })
  const { started, work, finish } = controlledWork()
  void of("old").runExclusive("ada", work("1"))
  void of("new", "old").runExclusive("ada", work("2"))
  void of("new").runExclusive("ada", work("3"))
  void of("another").runExclusive("ada", work("4"))
  await turns()
  expect(started).toEqual(["1", "4"])
  await finish("1")
  expect(started).toEqual(["1", "4", "2"])
  await finish("2")
  expect(started).toEqual(["1", "4", "2", "3"])
})
