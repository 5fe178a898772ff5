import { customFetch } from "@latchkey/core"
import httpEmail from "@latchkey/core/providers/http-email"
import loops from "@latchkey/core/providers/loops"
import { describe, expect, test } from "vitest"
import { emailOf } from "../flows/signin/setup.js"
import { desk, only, serviceForTests, towards } from "./setup.js"

const apiKey = "key-0123456789abcdef"
const from = "Acme <hello@acme.test>"

const service = await serviceForTests()

const fetchOf = () => ({ [customFetch]: towards(service).fetch })

describe("Loops", () => {
  test("gets its template, the email and the link", async () => {
    const { fetch, asked } = towards(service)
    const { browser } = await desk(loops({ apiKey, transactionalId: "t1", [customFetch]: fetch }))
    await browser.signIn("loops", { email: "ada@example.test" })
    expect(asked).toEqual(["https://app.loops.so/api/v1/transactional"])
    const request = only(service.received)
    expect(request.headers).toMatchObject({ "content-type": "application/json", authorization: `Bearer ${apiKey}` })
    const body = JSON.parse(request.body)
    expect(body).toEqual({
      transactionalId: "t1",
      email: "ada@example.test",
      dataVariables: { url: expect.any(String) },
    })
    await browser.get(body.dataVariables.url)
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("passes the code to a template with a variable for it", async () => {
    const dataVariables = ({ url, code = "" }: { url: string; code: string | undefined }) => ({ link: url, code })
    const { browser } = await desk(loops({ apiKey, transactionalId: "t1", dataVariables, ...fetchOf() }))
    await browser.signIn("loops", { email: "ada@example.test" })
    const { dataVariables: sent } = JSON.parse(only(service.received).body)
    expect(sent).toEqual({
      link: expect.stringContaining("/auth/callback/loops?"),
      code: expect.stringMatching(/^\d{6}$/),
    })
  })

  test("sends nothing without a template", async () => {
    const { browser, log } = await desk(loops({ apiKey, ...fetchOf() }))
    await browser.signIn("loops", { email: "ada@example.test" })
    expect(service.received).toEqual([])
    expect(log.entries.map(({ text }) => text).join()).toContain("Set `transactionalId`")
  })
})

describe("any other service", () => {
  test("gets the configured body and headers", async () => {
    const body = ({ to, sender, code }: { to: string; sender: object; code: string | undefined }) =>
      new URLSearchParams({ to, sender: JSON.stringify(sender), digits: String(code?.length) })
    const headers = { Authorization: "Token abc", "X-Tenant": "acme" }
    const { browser } = await desk(
      httpEmail({ endpoint: "https://mail.acme.test/", apiKey, from, body, headers, ...fetchOf() }),
    )
    await browser.signIn("http-email", { email: "ada@example.test" })
    const request = only(service.received)
    expect(request.headers).toMatchObject({
      authorization: "Token abc",
      "x-tenant": "acme",
      "content-type": expect.stringContaining("application/x-www-form-urlencoded"),
    })
    const fields = Object.fromEntries(new URLSearchParams(request.body))
    expect(fields).toEqual({
      to: "ada@example.test",
      sender: '{"name":"Acme","address":"hello@acme.test"}',
      digits: "6",
    })
  })

  test("needs an endpoint but no key", async () => {
    const { log, browser } = await desk(httpEmail({ from, ...fetchOf() }))
    await browser.signIn("http-email", { email: "ada@example.test" })
    expect(log.entries.map(({ text }) => text).join()).toContain("has no `endpoint`")
    const open = await desk(httpEmail({ endpoint: "https://mail.acme.test/", from, ...fetchOf() }))
    await open.browser.signIn("http-email", { email: "ada@example.test" })
    expect(only(service.received).headers.authorization).toBeUndefined()
  })
})
