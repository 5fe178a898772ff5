import type { Browser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { application } from "./application.js"
import { ask, browse } from "./browse.js"
import { middlewareWithoutEngine } from "./cases/bundle.js"

/** `auth` around the middleware of next-intl; `middleware.js`, and the whole engine, on the edge runtime. */
const app = application({ folder: "intl", major: 16 })

const session = "authjs.session-token"

test("somebody signs in with an engine on the edge runtime, and the middleware there knows them", async () => {
  const ada = await signedIn()
  await ada.get("/private")
  expect(ada.response.headers.get("x-visitor")).toBe("ada")
  expect(seen(ada.text)).toMatchObject({ name: "ada", locale: "en" })
})

test("rewrites, cookies and headers of the middleware that is wrapped stay", async () => {
  const { origin } = await app.served()
  const english = await ask(origin, "/", { headers: { "accept-language": "en" } })
  expect(english.status).toBe(200)
  expect(seen(english.text)).toEqual({ locale: "en", told: "en", name: null, cookie: null, language: "en" })
  const { headers, text } = await ask(origin, "/de", { headers: { "accept-language": "en" } })
  expect(headers.getSetCookie().map((line) => line.split("=")[0])).toEqual(["NEXT_LOCALE"])
  expect(headers.get("link")).toContain('hreflang="de"')
  expect(headers.get("x-visitor")).toBe("nobody")
  expect(seen(text)).toMatchObject({ locale: "de", told: "de", name: null })
})

test("with a session that is renewed they stay as well, and the page behind the rewrite has the new cookie", async () => {
  const ada = await signedIn({ UPDATE_AGE: "0" })
  const before = ada.cookies.find(({ name }) => name === session)?.value
  ada.jar.remove("NEXT_LOCALE")
  await ada.get("/de", { headers: { "accept-language": "en" } })
  const lines = ada.response.headers.getSetCookie()
  expect(new Set(lines.map((line) => line.split("=")[0]))).toEqual(new Set(["NEXT_LOCALE", session]))
  expect(lines).toHaveLength(2)
  const now = ada.cookies.find(({ name }) => name === session)?.value
  expect(now).not.toBe(before)
  expect(seen(ada.text)).toEqual({ locale: "de", told: "de", name: "ada", cookie: now, language: "en" })
  expect(ada.response.headers.get("link")).toContain("hreflang")
})

test("a redirect of the middleware that is wrapped stays, and takes the renewed session along", async () => {
  const ada = await signedIn({ UPDATE_AGE: "0" })
  await ada.get("/en/private")
  const [first] = ada.trail
  expect(first?.status).toBe(307)
  expect(first?.headers.getSetCookie().some((line) => line.startsWith(session))).toBe(true)
  expect(new URL(ada.location).pathname).toBe("/private")
  expect(seen(ada.text)).toMatchObject({ locale: "en", name: "ada" })
})

test("whom `authorized` does not let pass never reaches the function inside", async () => {
  const { origin } = await app.served()
  for (const path of ["/private", "/de/private", "/en/private"]) {
    const { status, headers } = await ask(origin, path)
    expect(status, path).toBe(307)
    expect(headers.get("location"), path).toContain("/api/auth/signin?callbackUrl=")
    expect(headers.get("x-visitor"), path).toBeNull()
    expect(headers.getSetCookie(), path).toEqual([])
  }
})

middlewareWithoutEngine(app)

async function signedIn(env: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const { origin } = await app.served(env)
  const ada = browse(origin)
  await ada.signIn("credentials", { name: "ada", callbackUrl: "/api/auth/csrf" })
  expect(await ada.session()).toMatchObject({ user: { name: "ada" } })
  return ada
}

function seen(text: string): unknown {
  const json = /id="seen">([^<]+)/.exec(text)?.[1]?.replaceAll("&quot;", '"')
  return JSON.parse(json ?? "null")
}
