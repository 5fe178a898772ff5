import { expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import { unseal } from "./attempt.js"

const { https } = compile({
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
  url: "https://app.test/auth",
  providers: [],
})

function request() {
  const opened: string[] = []
  const sealer = {
    ...https.sealer,
    open(purpose: string, token: string) {
      opened.push(purpose)
      return https.sealer.open(purpose, token)
    },
  }
  return { opened, request: { scheme: { ...https, sealer } } }
}

test("a sealed value is opened once per request, for each purpose", async () => {
  const token = await https.sealer.seal("one", { value: 1 }, 60)
  const first = request()
  expect((await unseal(first.request, "one", token)).payload["value"]).toBe(1)
  expect((await unseal(first.request, "one", token)).payload["value"]).toBe(1)
  await expect(unseal(first.request, "other", token)).rejects.toThrow()
  await expect(unseal(first.request, "other", token)).rejects.toThrow()
  expect(first.opened).toEqual(["one", "other"])
  const second = request()
  await unseal(second.request, "one", token)
  expect(second.opened).toEqual(["one"])
})
