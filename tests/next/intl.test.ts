import type { Browser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { application } from "./application.js"
import { browse, send } from "../applications/http.js"
import { middlewareWithoutEngine } from "./cases/bundle.js"

/** `auth` wraps the middleware of next-intl. The middleware and the auth routes run on the edge runtime. */
const app = application({ folder: "intl", major: 16 })

const session = "authjs.session-token"

test("the auth routes sign in on the edge runtime, and the middleware gets the session", async () => {
  const ada = await signedIn()
  await ada.get("/private")
  expect(ada.response.headers.get("x-user")).toBe("ada")
  expect(rendered(ada.text)).toMatchObject({ name: "ada", locale: "en" })
})

test("rewrites, cookies and headers of the wrapped middleware stay", async () => {
  const { origin } = await app.served()
  const english = await send(origin, "/", { headers: { "accept-language": "en" } })
  expect(english.status).toBe(200)
  expect(rendered(english.text)).toEqual({ locale: "en", headerLocale: "en", name: null, cookie: null, language: "en" })
  const { headers, text } = await send(origin, "/de", { headers: { "accept-language": "en" } })
  expect(headers.getSetCookie().map((line) => line.split("=")[0])).toEqual(["NEXT_LOCALE"])
  expect(headers.get("link")).toContain('hreflang="de"')
  expect(headers.get("x-user")).toBe("visitor")
  expect(rendered(text)).toMatchObject({ locale: "de", headerLocale: "de", name: null })
})

test("they also stay when the session is renewed, and the rewritten page gets the new cookie", async () => {
  const ada = await signedIn({ UPDATE_AGE: "0" })
  const before = ada.cookies.find(({ name }) => name === session)?.value
  ada.jar.remove("NEXT_LOCALE")
  await ada.get("/de", { headers: { "accept-language": "en" } })
  const lines = ada.response.headers.getSetCookie()
  expect(new Set(lines.map((line) => line.split("=")[0]))).toEqual(new Set(["NEXT_LOCALE", session]))
  expect(lines).toHaveLength(2)
  const now = ada.cookies.find(({ name }) => name === session)?.value
  expect(now).not.toBe(before)
  expect(rendered(ada.text)).toEqual({ locale: "de", headerLocale: "de", name: "ada", cookie: now, language: "en" })
  expect(ada.response.headers.get("link")).toContain("hreflang")
})

test("a redirect of the wrapped middleware stays and sets the renewed session", async () => {
  const ada = await signedIn({ UPDATE_AGE: "0" })
  await ada.get("/en/private")
  const [first] = ada.trail
  expect(first?.status).toBe(307)
  expect(first?.headers.getSetCookie().some((line) => line.startsWith(session))).toBe(true)
  expect(new URL(ada.location).pathname).toBe("/private")
  expect(rendered(ada.text)).toMatchObject({ locale: "en", name: "ada" })
})

test("if `authorized` rejects a request, the wrapped middleware decides, as in next-auth", async () => {
  const { origin } = await app.served()
  for (const path of ["/private", "/de/private"]) {
    const { status, headers } = await send(origin, path)
    expect(status, path).toBe(200)
    expect(headers.get("x-user"), path).toBe("visitor")
  }
  const { status, headers } = await send(origin, "/en/private")
  expect([status, headers.get("location")]).toEqual([307, "/private"])
})

middlewareWithoutEngine(app, ["the passkey library"])

async function signedIn(env: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const { origin } = await app.served(env)
  const ada = browse(origin)
  await ada.signIn("credentials", { name: "ada", callbackUrl: "/api/auth/csrf" })
  expect(await ada.session()).toMatchObject({ user: { name: "ada" } })
  return ada
}

function rendered(text: string): unknown {
  const json = /id="rendered">([^<]+)/.exec(text)?.[1]?.replaceAll("&quot;", '"')
  return JSON.parse(json ?? "null")
}
