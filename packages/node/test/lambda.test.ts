import credentials from "@latchkey/node/providers/credentials"
import { captureLog, openBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createAuth, type LambdaEvent, type LambdaResult, toRequest, toResult } from "../src/lambda.js"
import { twoSessions } from "../../../tests/two-sessions.js"
import { eventOf, type Format, formats, responseOf } from "./lambda-format.js"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const auth = createAuth({
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
  trustHost: true,
  providers: [password],
  logger: captureLog().logger,
})

const handler = auth.handler(async (request) => {
  const { pathname } = new URL(request.url)
  if (pathname === "/sign-in") return auth.signIn(request, "credentials", Object.fromEntries(await request.formData()))
  if (pathname === "/image")
    return new Response(new Uint8Array([137, 80, 255]), { headers: { "content-type": "image/png" } })
  const { session, response } = await auth.requireSession(request)
  return response ?? Response.json(session.user?.name)
})

function open(format: Format) {
  return openBrowser({
    origin: "https://app.test",
    handle: async (request) => responseOf(await handler(await eventOf(format, request), {})),
  })
}

describe.each(formats)("an event of %s", (format) => {
  test("signs in, with every cookie of the response", async () => {
    const browser = open(format)
    await browser.get("/account?tab=1&tab=a+%26b")
    expect(new URL(browser.location).searchParams.get("callbackUrl")).toBe("/account?tab=1&tab=a+%26b")
    await browser.submitForm("credentials", { name: "ada", password: "open sesame" })
    expect(browser.location).toBe("https://app.test/account?tab=1&tab=a+%26b")
    expect(browser.text).toBe('"ada"')
    expect(browser.cookies.length).toBeGreaterThan(1)
  })

  test("a form of the app signs in, and an API gets 401", async () => {
    const browser = open(format)
    expect((await browser.fetch("/account")).status).toBe(401)
    await browser.post("/sign-in", { name: "ada", password: "open sesame", redirectTo: "/account" })
    expect(browser.text).toBe('"ada"')
  })

  test("bytes are encoded", async () => {
    const result = await handler(await eventOf(format, new Request("https://app.test/image")), {})
    expect(result).toMatchObject({ body: "iVD/", isBase64Encoded: true })
  })
})

test("the path of a REST API has its stage, as the browser's has", () => {
  const event: LambdaEvent = {
    httpMethod: "GET",
    path: "/account",
    headers: { Host: "abc.execute-api.eu-west-1.amazonaws.com", "X-Forwarded-Proto": "https" },
    requestContext: { path: "/prod/account", identity: { sourceIp: "203.0.113.7" } },
    body: null,
    isBase64Encoded: false,
  }
  expect(toRequest(event).url).toBe("https://abc.execute-api.eu-west-1.amazonaws.com/prod/account")
})

test("several cookies reach a load balancer without multi-value headers", async () => {
  const event = await eventOf("a load balancer", new Request("https://app.test/"))
  const headers = new Headers({ "content-type": "text/plain" })
  for (const name of ["a", "b", "c"]) headers.append("set-cookie", `${name}=1`)
  const result: LambdaResult<LambdaEvent> = await toResult(new Response("page", { headers }), event)
  expect(Object.entries(result.headers ?? {}).filter(([name]) => name.toLowerCase() === "set-cookie")).toEqual([
    ["set-cookie", "a=1"],
    ["Set-cookie", "b=1"],
    ["sEt-cookie", "c=1"],
  ])
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await createAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})
