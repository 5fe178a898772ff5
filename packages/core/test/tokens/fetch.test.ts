import { describe, expect, test } from "vitest"
import { visitorOf } from "../account/setup.js"
import { minutes, type VaultSite, vaultSite } from "./setup.js"

const api = "https://api.test/items"

function call(its: VaultSite, url: string | URL = api, options: object = {}) {
  return its.server.token.fetch("op", url, { visitor: visitorOf(its.browser), ...options })
}

/** The answer must be a response. */
async function response(its: VaultSite, ...rest: [url?: string, options?: object]): Promise<Response> {
  const answer = await call(its, ...rest)
  if ("problem" in answer) throw new Error(answer.problem)
  return answer
}

test("the token goes into the header, whatever the caller has put there", async () => {
  const its = await vaultSite()
  await its.signIn()
  const options = { method: "POST", body: "text", headers: { authorization: "Bearer mine", "x-own": "1" } }
  expect(await (await response(its, api, options)).json()).toEqual({ ok: true })
  const token = await its.token()
  const [request] = its.calls
  expect(request?.headers.get("authorization")).toBe(`Bearer ${token.problem === undefined ? token.accessToken : ""}`)
  expect(request?.headers.get("x-own")).toBe("1")
  expect(request?.method).toBe("POST")
  expect(await request?.text()).toBe("text")
})

test("after a 401, the token is renewed once, and the request is sent again", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(1))
  const refused = await its.token()
  its.answers.api = ({ headers }) =>
    refused.problem === undefined && headers.get("authorization") === `Bearer ${refused.accessToken}`
      ? new Response("", { status: 401 })
      : Response.json({ ok: true })
  const all = await Promise.all(Array.from({ length: 10 }, () => response(its)))
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(its.refreshes()).toHaveLength(1)
})

test("an API that refuses every token gets two requests, and causes no refresh with each call", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(1))
  its.answers.api = () => new Response("no", { status: 401 })
  expect((await response(its)).status).toBe(401)
  expect(its.calls).toHaveLength(2)
  expect((await response(its)).status).toBe(401)
  expect(its.calls).toHaveLength(3)
  expect(its.refreshes()).toHaveLength(1)
})

test("if the token can't be renewed, the caller learns why", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(1))
  its.answers.api = () => new Response("", { status: 401 })
  its.answers.token = () => Response.json({ error: "invalid_grant" }, { status: 400 })
  expect(await call(its)).toMatchObject({ problem: "needs-consent" })
})

test("a problem of `token` is returned, and nothing is sent", async () => {
  const its = await vaultSite()
  expect(await call(its)).toEqual({ problem: "not-signed-in" })
  await its.signIn()
  expect(await call(its, api, { scopes: ["calendar"] })).toMatchObject({ problem: "needs-consent" })
  expect(its.calls).toHaveLength(0)
})

describe("the token isn't for other hosts", () => {
  test.each([
    "https://evil.test/",
    "https://api.test.evil.test/",
    "https://evil.test/?https://api.test",
    "https://api.test@evil.test/",
    "https://user:pass@api.test/",
    "https://api.test:8443/",
    "http://api.test/",
    "https://apis.test/",
    "https://evilapis.test/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://127.0.0.1/",
    "file:///etc/passwd",
    "data:text/plain,hello",
    "//api.test/",
    "/relative",
    "",
  ])("%s", async (url) => {
    const its = await vaultSite()
    await its.signIn()
    const answer = await call(its, url).catch((error: unknown) => ({ problem: String(error) }))
    expect(answer).toHaveProperty("problem")
    expect(its.calls).toHaveLength(0)
  })

  test.each(["https://10.0.0.1/", "http://api.test/", "ftp://api.test/"])(
    "%s isn't reached, even if a call allows its host",
    async (url) => {
      const its = await vaultSite()
      await its.signIn()
      const refused = await call(its, url, { hosts: ["10.0.0.1", "api.test"] })
      expect(refused).toMatchObject({ problem: "host-not-allowed" })
      expect(its.calls).toHaveLength(0)
    },
  )

  test.each([api, "https://deep.apis.test/x", "https://op.test/userinfo"])("but for %s", async (url) => {
    const its = await vaultSite()
    await its.signIn()
    await response(its, url)
  })

  test("a call may allow another one", async () => {
    const its = await vaultSite()
    await its.signIn()
    expect((await response(its, "https://other.test/", { hosts: ["other.test"] })).status).toBe(200)
    expect(await call(its, "https://other.test/")).toMatchObject({ problem: "host-not-allowed" })
  })

  test("a redirect is returned, and isn't followed", async () => {
    const its = await vaultSite()
    await its.signIn()
    its.answers.api = () => new Response(null, { status: 302, headers: { location: "https://evil.test/" } })
    const { status, headers } = await response(its)
    expect([status, headers.get("location")]).toEqual([302, "https://evil.test/"])
    expect(its.calls.map(({ redirect }) => redirect)).toEqual(["manual"])
  })
})

test("a body that is a stream is sent once", async () => {
  const its = await vaultSite()
  await its.signIn()
  its.clock.advance(minutes(1))
  its.answers.api = () => new Response("", { status: 401 })
  const body = new Blob(["text"]).stream()
  expect((await response(its, api, { method: "POST", body, duplex: "half" })).status).toBe(401)
  expect(its.calls).toHaveLength(1)
})
