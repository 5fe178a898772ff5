import { createProvider, type FakeProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { answerOf, type App, begin, flowCookies, open, outcome } from "../flows/oauth/app.js"
import { expectRefused } from "./oauth-setup.js"

/** The honest response in the query, and the app that waits for it. */
async function responded(mode: Mode): Promise<{ op: FakeProvider; app: App; honest: URL }> {
  const op = createProvider()
  const app = await open([op.provider()], { security: mode })
  return { op, app, honest: new URL(await answerOf(op, await begin(app.browser))) }
}

/** Nothing reached the provider, and the honest response still signs in. */
async function expectUsable({ op, app, honest }: Awaited<ReturnType<typeof responded>>): Promise<void> {
  await expectRefused(app, "InvalidCheck")
  expect(op.requestsTo("token")).toEqual([])
  expect(flowCookies(app.browser)).toHaveLength(1)
  await app.browser.get(honest.href, { from: op.issuer })
  expect(outcome(app.browser)).toBe("home")
}

const names = ["code", "state", "iss", "error", "error_description", "id_token", "access_token"]

attack("OAUTH-07", "a parameter that the query has twice is refused, and the attempt stays usable", async (mode) => {
  for (const name of names) {
    for (const value of ["evil", "", "the same"]) {
      for (const first of [true, false]) {
        const its = await responded(mode)
        const own = its.honest.searchParams.get(name) ?? "x"
        const extra = new URLSearchParams({ [name]: value === "the same" ? own : value }).toString()
        const rest = its.honest.searchParams.has(name)
          ? its.honest.search.slice(1)
          : `${its.honest.search.slice(1)}&${name}=x`
        const query = first ? `${extra}&${rest}` : `${rest}&${extra}`
        await its.app.browser.get(`/auth/callback/op?${query}`, { from: its.op.issuer })
        await expectUsable(its)
      }
    }
  }
})

attack("OAUTH-07", "the same holds for other spellings of the query", async (mode) => {
  for (const spell of [
    (query: string) => `${query}&%63ode=evil`,
    (query: string) => `${query}&code`,
    (query: string) => `code=evil&${query}&code=evil`,
    (query: string) => query.replace("state=", "state=evil&stat%65="),
    (query: string) => `${query}&${query}`,
  ]) {
    const its = await responded(mode)
    await its.app.browser.get(`/auth/callback/op?${spell(its.honest.search.slice(1))}`, { from: its.op.issuer })
    await expectUsable(its)
  }
})

/** A response that the provider's page posts. */
async function posted(mode: Mode) {
  const op = createProvider()
  const provider = op.provider({ authorization: { params: { response_mode: "form_post" } } })
  const app = await open([provider], { security: mode })
  const answer = await op.authorize(await begin(app.browser), { as: "ada" })
  if (answer.method !== "POST") throw new Error("The provider answered with a redirect")
  return { op, app, fields: Object.entries(answer.fields) }
}

const types = ["application/x-www-form-urlencoded", "multipart/form-data"] as const

async function post(its: Awaited<ReturnType<typeof posted>>, query: string, fields: [string, string][], type: string) {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  const encoded = new Response(type === types[0] ? new URLSearchParams(fields) : form)
  return its.app.browser.fetch(`/auth/callback/op${query}`, {
    method: "POST",
    headers: { "content-type": encoded.headers.get("content-type") ?? "" },
    body: await encoded.text(),
  })
}

async function expectAmbiguous({ op, app: { browser, log } }: Awaited<ReturnType<typeof posted>>): Promise<void> {
  expect(log.entries.filter(({ level }) => level === "error").map(({ text }) => text)).toEqual([
    expect.stringContaining("InvalidCheck"),
  ])
  expect([flowCookies(browser).length, op.requestsTo("token"), await browser.session()]).toEqual([1, [], null])
}

attack("OAUTH-07", "a parameter that a form has twice, or shares with the query, is refused", async (mode) => {
  for (const type of types) {
    for (const name of names) {
      const extras: readonly (readonly [string, [string, string][]])[] = [
        [
          "",
          [
            [name, "x"],
            [name, "evil"],
          ],
        ],
        [`?${name}=evil`, [[name, "x"]]],
        [`?${name}=evil`, []],
        [`?${name}=evil&${name}=evil`, []],
      ]
      for (const [query, extra] of extras) {
        const its = await posted(mode)
        await post(its, query, [...its.fields, ...extra], type)
        await expectAmbiguous(its)
        await post(its, "", its.fields, type)
        expect(await its.app.browser.session()).not.toBeNull()
      }
    }
  }
})

attack("OAUTH-07", "a list or an object in place of a parameter is refused", async (mode) => {
  for (const value of [["x", "y"], { 0: "x" }, []]) {
    const its = await posted(mode)
    const body = JSON.stringify({ ...Object.fromEntries(its.fields), code: value })
    const headers = { "content-type": "application/json" }
    await its.app.browser.fetch("/auth/callback/op", { method: "POST", headers, body })
    await expectAmbiguous(its)
  }
})
