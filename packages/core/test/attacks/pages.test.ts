import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { csrfPair, origin } from "../http/app.js"
import { pageScript } from "../../src/features/pages/generated/script.js"
import { door, hidden } from "./door-setup.js"

const marked = [
  "<script>zzmark()</script>",
  '"onfocus="zzmark()" autofocus="',
  "'onfocus='zzmark()",
  "<img src=x onerror=zzmark()>",
  "%3Cscript%3Ezzmark()%3C/script%3E",
  "%253Cscript%253Ezzmark()",
  "&lt;script&gt;zzmark()",
  "\u003Csvg/onload=zzmark()>",
  "\uFF1Cscript\uFF1Ezzmark()",
  "javascript:zzmark()",
  "</title><script>zzmark()",
  "{{zzmark}}",
  "zzmark",
  "zzmark\u0000",
]
const told = [
  "error",
  "error_description",
  "error_uri",
  "code",
  "id",
  "detail",
  "title",
  "message",
  "email",
  "provider",
  "type",
]

attack("ADV-BA-02", "no page shows values from its URL", async (mode) => {
  for (const environment of ["production", "development"] as const) {
    const { get } = door(mode, { environment })
    for (const text of marked) {
      for (const name of told) {
        for (const action of ["error", "signin", "signout", "verify-request"]) {
          const known = name === "error" ? {} : { error: "Verification" }
          const response = await get(`/auth/${action}?${new URLSearchParams({ ...known, [name]: text })}`)
          expect(await response.text(), `${action} ${name} ${text}`).not.toContain("zzmark")
          expect([...response.headers].flat().join()).not.toContain("zzmark")
        }
      }
    }
  }
})

attack("ADV-BA-02", "an error of a provider is shown by its code only", async (mode) => {
  const { get, post, op } = door(mode)
  const begun = await post("/auth/signin/op")
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? ""
  const cookie = begun.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
  const told = { error: "<b>zzmark</b>", error_description: "zzmark", error_uri: "https://zzmark.test", state }
  const back = await get(`/auth/callback/op?${new URLSearchParams({ ...told, iss: op.issuer })}`, { cookie })
  const to = back.headers.get("location") ?? ""
  expect(to).toBe(`${origin}/auth/signin?error=OAuthCallbackError`)
  expect(await (await get(to.slice(origin.length))).text()).not.toContain("zzmark")
})

const props = [
  "csrfToken=EVIL",
  "csrfToken=EVIL&csrfToken=EVIL",
  "providers=EVIL",
  "providers[]=EVIL",
  "theme=EVIL",
  "theme[logo]=https://EVIL.test/x.png",
  "title=EVIL",
  "nonce=EVIL",
  "headTags=EVIL",
  "url=https://EVIL.test",
  "callbackUrl=https://EVIL.test/x",
  "callbackUrl[]=https://EVIL.test",
  "error[]=EVIL",
  "error[__proto__]=EVIL",
  "__proto__[csrfToken]=EVIL",
  "__proto__=EVIL&constructor=EVIL&prototype=EVIL",
  "email=EVIL@x%20y",
  "email=EVIL@x%0Ay",
  "email=EVIL%E2%80%AE@x.test",
  "email=EVIL",
  "email=%22%3E%3Cb%3EEVIL@x.test",
  "email=EVIL@x.test,other@x.test",
  "email[]=EVIL@x.test",
  "signIn=EVIL&pages=EVIL&basePath=EVIL",
]

attack("XSS-01", "only a validated email and callback URL become part of a page", async (mode) => {
  const { get, send } = door(mode)
  const { token, cookie } = await csrfPair(send)
  for (const action of ["signin", "signout", "error", "verify-request"]) {
    const usual = withoutNonces(await (await get(`/auth/${action}`, { cookie })).text())
    for (const query of props) {
      const response = await get(`/auth/${action}?${query}`, { cookie })
      const page = withoutNonces(await response.text())
      expect([response.status, page], `${action}?${query}`).toEqual([action === "error" ? 400 : 200, usual])
      for (const value of hidden(page, "csrfToken")) expect(value).toBe(token)
    }
  }
  const page = await (await get("/auth/signin?email=Ada@x.test&callbackUrl=/a", { cookie })).text()
  expect(page).toContain('value="ada@x.test"')
  expect(new Set(hidden(page, "callbackUrl"))).toEqual(new Set([`${origin}/a`]))
  expect(new Set(hidden(page, "csrfToken"))).toEqual(new Set([token]))
})

function withoutNonces(page: string): string {
  return page.replaceAll(/nonce="[^"]*"/g, "")
}

const keys = [
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "prototype",
  "__defineGetter__",
  "isPrototypeOf",
]

attack("XSS-02", "a property name of every object is an unknown error code", async (mode) => {
  const { get } = door(mode)
  const text = async (response: Response) => [response.status, withoutNonces(await response.text())]
  const unknown = {
    error: await text(await get("/auth/error?error=Unknown")),
    signin: await text(await get("/auth/signin?error=Unknown")),
  }
  expect([unknown.error[0], unknown.signin[0]]).toEqual([400, 200])
  for (const key of keys) {
    expect(await text(await get(`/auth/error?error=${key}`)), key).toEqual(unknown.error)
    expect(await text(await get(`/auth/error?error=Verification&code=${key}`)), key).toEqual(
      await text(await get("/auth/error?error=Verification")),
    )
    const page = await get(`/auth/signin?error=${key}`)
    expect(page.status).toBe(200)
    expect(String((await text(page))[1])).toContain("Unable to sign in.")
  }
})

attack("XSS-04", "a page loads no script, image, font, frame or style, and has no script but its own", async (mode) => {
  const { get } = door(mode)
  for (const action of ["signin", "signout", "error", "verify-request"]) {
    const text = await (await get(`/auth/${action}`)).text()
    const page = text.replace(/<script nonce="[^"]{16,}">/, "<inline>").replace(`<inline>${pageScript}</script>`, "")
    expect(page.match(/\s(?:src|srcset|data|poster|background|ping|manifest)=/gi), action).toBeNull()
    expect(page.match(/<(?:link|script|iframe|object|embed|base|img)\b/gi), action).toBeNull()
    expect(page.match(/url\(|@import|@font-face|style=|\son\w+=/gi), action).toBeNull()
    const addresses = [...page.matchAll(/(?:href|action)="([^"]*)"/g)].map(
      ([, address = ""]) => new URL(address).origin,
    )
    for (const address of addresses) expect(address).toBe(origin)
  }
})

attack("XSS-04", "a provider with its own logo adds no URL of another site", async (mode) => {
  const { providers } = door(mode).config
  const names = ["google", "github", "apple", "facebook", "gitlab", "microsoft-entra-id", "discord", "twitter"]
  const services = names.map(
    (id) =>
      ({
        id,
        name: id,
        type: "oauth",
        clientId: "a",
        clientSecret: "b",
        authorization: `https://${id}.test/a`,
        token: `https://${id}.test/t`,
        userinfo: `https://${id}.test/u`,
      }) as const,
  )
  const page = await (await door(mode, { providers: [...(providers ?? []), ...services] }).get("/auth/signin")).text()
  for (const name of names) expect(page).toContain(`/auth/signin/${name}"`)
  expect(page.match(/<img|url\(|https:\/\/(?!app\.test)/g)).toBeNull()
})
