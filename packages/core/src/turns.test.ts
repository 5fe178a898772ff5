import { expect, test } from "vitest"
import { turns } from "./turns.js"

test("work on one thing is done in turn, on different things side by side", async () => {
  const inTurn = turns()
  const order: string[] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const first = inTurn("a", async () => {
    await gate
    order.push("first")
    throw new Error("no")
  })
  const second = inTurn("a", async () => order.push("second"))
  await inTurn("b", async () => order.push("other"))
  open()
  await expect(first).rejects.toThrow("no")
  await second
  expect(order).toEqual(["other", "first", "second"])
})

test("the next in turn sees what the one before it did, and a third waits for both", async () => {
  const inTurn = turns()
  let count = 0
  const add = async () => {
    const before = count
    await Promise.resolve()
    count = before + 1
    return count
  }
  expect(await Promise.all([inTurn("a", add), inTurn("a", add), inTurn("a", add)])).toEqual([1, 2, 3])
  expect(await inTurn("a", add)).toBe(4)
})
