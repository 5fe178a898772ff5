import { afterAll, expect, test, vi } from "vitest"

const mocked = vi.hoisted(() => ({ headers: async () => new Headers() }))
vi.mock("next/headers", () => mocked)

// Files share their modules, and another one may have loaded the real module.
vi.resetModules()
const { default: NextAuth } = await import("@latchkey/next")
const { connected } = await import("../../../tests/connected.js")
afterAll(() => {
  vi.doUnmock("next/headers")
  vi.resetModules()
})

test("`token` and `token.fetch` act for the user who sent the request", async () => {
  const { config, cookie, sent } = await connected()
  const site = { host: "app.test", "x-forwarded-host": "app.test", "x-forwarded-proto": "https" }
  mocked.headers = async () => new Headers({ ...site, cookie })
  const { token } = NextAuth(config)
  const google = await token("op")
  expect(google).toMatchObject({ account: "ada", accessToken: expect.any(String) })
  const answer = await token.fetch("op", "https://api.test/items")
  expect("problem" in answer ? answer : await answer.text()).toBe("from the API")
  expect(sent).toEqual([`Bearer ${google.problem === undefined ? google.accessToken : ""}`])
  mocked.headers = async () => new Headers(site)
  expect(await token("op")).toEqual({ problem: "not-signed-in" })
  expect(await token.fetch("op", "https://api.test/items")).toEqual({ problem: "not-signed-in" })
})
