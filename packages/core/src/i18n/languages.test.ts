import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import { toAuthRequest } from "../http/auth-request.js"
import type { Page, SafeUrl } from "../model/http.js"
import { renderPage } from "../../test/pages/render.js"
import { escapeHtml } from "../primitives/escape-html.js"
import { ago, duration, fill } from "./fill.js"
import { languageFor } from "./language.js"
import { english } from "./languages/en.js"
import type { Messages } from "./messages.js"
import { builtInTags } from "./tags.js"

const others = builtInTags.filter((tag) => tag !== "en")

test("there are 24 languages", () => {
  expect([...builtInTags].toSorted()).toEqual(
    "ar cs da de en es fi fr he hi id it ja ko nb nl pl pt ru sv tr uk zh-CN zh-TW".split(" "),
  )
})

describe.each(others)("the texts in %s", (tag) => {
  test("have the keys and placeholders of English, and are plain text", async () => {
    const { messages } = await languageFor({}, [tag])
    const texts = textsOf(messages)
    expect([...texts.keys()]).toEqual([...textsOf(english).keys()])
    for (const [key, text] of texts) {
      expect(placeholdersOf(text), key).toEqual(placeholdersOf(textsOf(english).get(key) ?? ""))
      expect(text, key).not.toMatch(/[<>&`\p{Cc}]|^\s|\s$|^$/u)
    }
  })

  test("are translated", async () => {
    const { messages } = await languageFor({}, [tag])
    const englishTexts = textsOf(english)
    const same = [...textsOf(messages)].filter(([key, text]) => englishTexts.get(key) === text && text.includes(" "))
    expect(same).toEqual([])
  })

  test("keep what runs left to right apart if the language runs right to left", async () => {
    const { direction, messages } = await languageFor({}, [tag])
    const isolated = [...textsOf(messages)].filter(([, text]) => /\{(?:app|email|host|provider|user)\}/.test(text))
    for (const [key, text] of isolated) expect(/\u2068\{\w+\}\u2069/.test(text), key).toBe(direction === "rtl")
  })

  test("are on every page, and no placeholder is left", async () => {
    const language = await languageFor({}, [tag])
    for (const [page, text] of pages) {
      const { html } = renderPage(auth, request, page, { language })
      expect(html).toContain(`<html lang="${tag}"${language.direction === "rtl" ? ' dir="rtl"' : ""}>`)
      const shown = html.replace(/<style[\s\S]*?<\/style>/, "")
      expect(shown).not.toMatch(/\{\w+\}/)
      expect(shown).toContain(escapeHtml(text(language.messages)))
    }
  })

  test("have units and times in the language", () => {
    expect(Intl.RelativeTimeFormat.supportedLocalesOf([tag])).toEqual([tag])
    for (const text of [duration(600, tag), ago(600, tag)]) expect(text).toMatch(/10|١٠|१०/)
  })
})

const auth = compile({
  secret: "0f6a1c9be27d4385f0a9c6e1d3b74258",
  url: "https://app.test",
  providers: [
    { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.test", clientId: "a", clientSecret: "b" },
    { id: "password", name: "Password", type: "credentials", credentials: { user: {} }, authorize: () => null },
  ],
})
const url = new URL("https://app.test/auth/signin")
const request = toAuthRequest(
  auth,
  { headers: new Headers(), origin: url.origin },
  { url, method: "GET", body: {}, route: { action: "signin", providerId: undefined } },
)
const csrfToken = "token"
const callbackUrl = "https://app.test/"
const device = { browser: "Firefox", system: "Linux", secondsAgo: 600 }

const app = "app.test"

/** Each page, and a text that it shows. */
const pages: readonly (readonly [Page, (t: Messages) => string])[] = [
  [
    { name: "signin", error: "CredentialsSignin", email: undefined, callbackUrl, csrfToken },
    (t) => t.signinErrors.credentials,
  ],
  [
    { name: "signin", error: "OAuthSignin", problem: "unreachable", email: undefined, callbackUrl, csrfToken },
    (t) => fill(t.signinErrors.unreachable, { provider: t.error.provider }),
  ],
  [{ name: "signout", csrfToken, callbackUrl }, (t) => t.signout.heading],
  [{ name: "error", error: "Configuration", id: "x" }, (t) => t.error.configuration.text],
  [{ name: "error", error: "Configuration", problem: "no-cookie" }, (t) => t.error.noCookie.advice],
  [
    { name: "verify-request", form: { action: "/", csrfToken, callbackUrl, digits: true } },
    (t) => t.verifyRequest.label,
  ],
  [
    { name: "confirm-email", action: "/", fields: {}, csrfToken, account: "a***@b.test", replaces: "", device },
    (t) => fill(t.confirmEmail.heading, { app }),
  ],
  [{ name: "forward", action: "https://other.test/" as SafeUrl, fields: {} }, (t) => t.forward.text],
]

function textsOf(messages: object, path = ""): Map<string, string> {
  const entries = Object.entries(messages).flatMap(([key, text]: [string, unknown]): [string, string][] => {
    if (typeof text === "string") return [[`${path}${key}`, text]]
    return [...textsOf(Object(text), `${path}${key}.`)]
  })
  return new Map(entries)
}

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted()
}
