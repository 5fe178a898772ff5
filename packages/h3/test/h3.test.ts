import { H3Auth } from "@latchkey/h3"
import { type Browser, openBrowser } from "@latchkey/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { expect, test } from "vitest"
import { forward } from "../../../tests/applications/http.js"
import { config, listen, version1, version2 } from "./applications.js"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"

const typed = { name: "ada", password: "open sesame" }
const majors = [
  ["h3 1", version1],
  ["h3 2", version2],
] as const

async function open(application: (typeof majors)[number][1], given = config): Promise<Browser> {
  const origin = await listen(application(given))
  return openBrowser({ origin, handle: async (request) => forward(request) })
}

test.each(majors)("%s: forms of the application sign in and out", async (_, application) => {
  const browser = await open(application)
  await browser.post("/sign-in", typed)
  expect(browser.text).toBe('{"name":"ada"}')
  await browser.post("/sign-out")
  expect(browser.text).toBe('{"name":null}')
})

test.each(majors)("%s: a form with the token of csrfToken posts to the auth routes", async (_, application) => {
  const browser = await open(application)
  await browser.get("/token")
  await browser.post("/auth/callback/credentials", { ...typed, csrfToken: browser.text })
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test.each(majors)("%s: the auth routes read the body of a form", async (_, application) => {
  const browser = await open(application)
  await browser.get("/auth/signin")
  await browser.submitForm("credentials", typed)
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test.each(majors)("%s: an invalid host is refused by the auth routes, and by nothing else", async (_, application) => {
  const origin = new URL(await listen(application(config)))
  const statusOf = async (path: string) => {
    const sent = request({ port: origin.port, path, headers: { host: "a:99999" }, agent: false }).end()
    const [answer]: IncomingMessage[] = await once(sent, "response")
    answer?.resume()
    return answer?.statusCode
  }
  expect(await statusOf("/auth/session")).toBe(400)
  expect(await statusOf("/")).toBe(200)
})

test.each(majors)("%s: a form of another site doesn't sign in", async (_, application) => {
  const browser = await open(application)
  await browser.post("/sign-in", typed, { from: "https://evil.test" })
  expect(await browser.session()).toBeNull()
})

test.each(majors)(
  "%s: a refused sign-in leads to the page that explains it, with the way back",
  async (_, application) => {
    const browser = await open(application)
    await browser.post("/sign-in", { ...typed, password: "wrong", redirectTo: "/account" })
    const page = new URL(browser.location)
    expect(page.pathname).toBe("/auth/signin")
    expect(Object.fromEntries(page.searchParams)).toMatchObject({ error: "CredentialsSignin" })
    expect(page.searchParams.getAll("callbackUrl")).toEqual(["/account"])
  },
)

test.each(majors)("%s: without a redirect, the application gets the error", async (_, application) => {
  const browser = await open(application)
  await browser.post("/try", { ...typed, password: "wrong" })
  expect(browser.text).toBe('{"refused":"CredentialsSignin"}')
})

test.each(majors)("%s: a page without a session leads to the sign-in page", async (_, application) => {
  const browser = await open(application)
  await browser.get("/account?tab=1")
  expect(new URL(browser.location).searchParams.get("callbackUrl")).toBe("/account?tab=1")
})

test.each(majors)("%s: a client of an API gets 401 with JSON", async (_, application) => {
  const browser = await open(application)
  const response = await browser.fetch("/account", { headers: { accept: "application/json" } })
  expect(response.status).toBe(401)
  expect(response.headers.get("content-type")).toContain("application/json")
  expect(response.headers.get("cache-control")).toBe("private, no-store")
})

test.each(majors)("%s: no cache stores a renewed session, whatever the handler says", async (_, application) => {
  const browser = await open(application)
  await browser.post("/sign-in", typed)
  await browser.post("/rename", { name: "grace" })
  expect(JSON.parse(browser.text)).toMatchObject({ user: { name: "grace" } })
  expect(browser.trail.at(-1)?.headers.get("cache-control")).toBe("private, no-store")
})

test.each(majors)("%s: an error doesn't lose the cookies", async (_, application) => {
  const browser = await open(application)
  await browser.post("/sign-in", typed)
  await browser.post("/failing")
  expect(await browser.session()).toMatchObject({ user: { name: "grace" } })
})

test.each(majors)("%s: the base path can be changed", async (_, application) => {
  const browser = await open(application, { ...config, basePath: "/user/auth" } as typeof config)
  expect((await browser.fetch("/user/auth/session")).status).toBe(200)
  expect((await browser.fetch("/auth/session")).status).toBe(404)
})

test.each(majors)("%s: a body that is too long doesn't end the process", async (_, application) => {
  const origin = await listen(application(config))
  const body = "x".repeat(4_000_000)
  const response = await fetch(`${origin}/auth/callback/credentials`, { method: "POST", body }).catch(() => undefined)
  expect(response?.status ?? 413).toBeGreaterThanOrEqual(300)
  expect((await fetch(`${origin}/auth/session`)).status).toBe(200)
})

test.each(majors)("%s: handlers read and change the account of the user", async (_, application) => {
  const origin = await listen(application(await twoSessions()))
  await expectAccount(origin, (request) => fetch(request, { redirect: "manual" }))
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await H3Auth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})
