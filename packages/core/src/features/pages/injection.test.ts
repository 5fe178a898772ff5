import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { compile } from "../../../test/compile.js"
import { toAuthRequest } from "../../http/auth-request.js"
import type { AuthContext, ProviderWithMethod } from "../../model/auth.js"
import type { CredentialInput } from "../../model/credentials-provider.js"
import type { Theme } from "../../model/pages.js"
import type { AuthRequest, Page, SafeUrl } from "../../model/http.js"
import { renderPage } from "../../../test/pages/render.js"

interface Token {
  readonly kind: "open" | "close" | "text" | "raw"
  readonly text: string
  readonly names: readonly string[]
  readonly values: readonly string[]
}

const pattern =
  /<!DOCTYPE html>|<(?<raw>style|script) nonce="(?<nonce>[A-Za-z0-9+/=]+)">(?<code>[^<]*)<\/\k<raw>>|<\/(?<close>[a-z0-9]+)>|<(?<open>[a-z0-9]+)(?<list>(?: [a-z-]+(?:="[^"<>]*")?)*)>|(?<text>[^<>"']+)/y

/** Parses only the HTML that our templates produce. An unexpected `<`, `>` or quote is a failure. */
function tokensOf(markup: string): Token[] {
  const tokens: Token[] = []
  const scanner = new RegExp(pattern)
  while (scanner.lastIndex < markup.length) {
    const at = scanner.lastIndex
    const groups = scanner.exec(markup)?.groups
    if (groups === undefined) throw new Error(`Unexpected HTML: ${JSON.stringify(markup.slice(at, at + 80))}`)
    tokens.push(tokenOf(groups))
  }
  return tokens
}

function tokenOf({ raw, code, close, open, list = "", text = "" }: Partial<Record<string, string>>): Token {
  if (raw !== undefined) return { kind: "raw", text: raw, names: [], values: [code ?? ""] }
  if (close !== undefined) return { kind: "close", text: close, names: [], values: [] }
  if (open === undefined) return { kind: "text", text: decode(text), names: [], values: [] }
  const found = [...list.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)]
  return {
    kind: "open",
    text: open,
    names: found.map((each) => each[1] ?? ""),
    values: found.map((each) => decode(each[2] ?? "")),
  }
}

const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

function decode(text: string): string {
  return text.replace(/&([^;]*);/g, (_, name: string) => characters[name] ?? "?")
}

/** The elements and attribute names of a page. */
function shapeOf(markup: string): string[] {
  return tokensOf(markup).flatMap(({ kind, text, names }) =>
    kind === "text" ? [] : `${kind} ${text} ${names.join(" ")}`,
  )
}

const base = compile({
  secret: "a secret of at least thirty-two bytes, for tests",
  url: "https://app.test",
  providers: [
    { id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.test", clientId: "a", clientSecret: "b" },
    { id: "password", name: "Password", type: "credentials", credentials: { user: {} }, authorize: () => null },
  ],
})

interface Texts {
  readonly [place: string]: string
}

function incomingOf(auth: AuthContext): AuthRequest {
  const url = new URL("https://app.test/auth/signin")
  const route = { action: "signin", providerId: undefined }
  return toAuthRequest(auth, { headers: new Headers(), origin: url.origin }, { url, method: "GET", body: {}, route })
}

function withTexts(
  { name = "", color = "", logo = "", key = "", label = "" }: Texts,
  development = false,
): AuthContext {
  const style = { brandColor: color }
  const credentials: Record<string, CredentialInput> = Object.fromEntries([
    [key, { label, value: label, placeholder: label }],
  ])
  const providers = [...base.providers.values()].map((each): [string, ProviderWithMethod] => {
    const renamed = { ...each, id: name, name, style }
    return [each.id, renamed.type === "credentials" ? { ...renamed, credentials } : renamed]
  })
  const theme: Theme = { brandColor: color, buttonText: color, logo }
  return { ...base, providers: new Map(providers), theme, development }
}

function pagesOf({ value = "", key = "" }: Texts): Page[] {
  const fields = Object.fromEntries([
    [key, value],
    ["token", value],
  ])
  return [
    { name: "signin", error: value, email: value, callbackUrl: value, csrfToken: value },
    { name: "signout", csrfToken: value, callbackUrl: value },
    { name: "error", error: value, code: value, detail: value },
    {
      name: "verify-request",
      error: value,
      form: { action: value, csrfToken: value, callbackUrl: value, digits: false },
    },
    { name: "confirm-email", action: value, fields, csrfToken: value },
    { name: "forward", action: `https://other.test/${value}` as SafeUrl, fields },
  ]
}

const snippets = [
  `"`,
  `'`,
  "`",
  "<",
  ">",
  "&",
  "=",
  " ",
  "/",
  "\0",
  "\n",
  ";",
  "{",
  "}",
  "\\",
  "<script>alert(1)</script>",
  "</style>",
  "</title>",
  "<!--",
  "-->",
  "]]>",
  `" onfocus="alert(1)" autofocus="`,
  "javascript:alert(1)",
  "&quot;",
  "&#34;",
  "<img src=x>",
  "; script-src *",
  "https://evil.test;",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "red",
  "url(//evil)",
  "\u2028",
  "\ud800",
]

const evil = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(fc.constantFrom(...snippets), { minLength: 1, maxLength: 5 }).map((parts) => parts.join("")),
)
const evilTexts = fc.record({
  name: evil,
  color: evil,
  key: evil.filter((key) => key !== "token"),
  label: evil,
  value: evil,
})
const tameTexts: Texts = { name: "n", color: "c", key: "k", label: "l", value: "v" }

/** Drops the value of the email field, which is missing if the email is invalid. */
const comparable = (shape: readonly string[]): string[] =>
  shape.map((line) => line.replace(" placeholder value", " placeholder"))

describe("hostile texts", () => {
  test("never change the elements and attributes of a page", () => {
    const shapes = pagesOf(tameTexts).map((page) =>
      comparable(shapeOf(renderPage(withTexts(tameTexts, true), incomingOf(base), page).html)),
    )
    fc.assert(
      fc.property(evilTexts, (texts) => {
        pagesOf(texts).forEach((page, index) => {
          expect(comparable(shapeOf(renderPage(withTexts(texts, true), incomingOf(base), page).html))).toEqual(
            shapes[index],
          )
        })
      }),
      { numRuns: 400 },
    )
  })

  test("appear in fields and labels unchanged", () => {
    fc.assert(
      fc.property(evilTexts, (texts) => {
        const page: Page = {
          name: "signin",
          error: undefined,
          email: undefined,
          callbackUrl: texts.value,
          csrfToken: texts.value,
        }
        const tokens = tokensOf(renderPage(withTexts(texts), incomingOf(base), page).html)
        expect(tokens.flatMap(({ kind, text }) => (kind === "text" ? text : []))).toContain(
          `Sign in with ${texts.name}`,
        )
        const hidden = tokens.filter(({ values }) => values[0] === "hidden").map(({ values }) => values.slice(1))
        expect(hidden.slice(0, 2)).toEqual([
          ["csrfToken", texts.value],
          ["callbackUrl", texts.value],
        ])
      }),
    )
  })

  test("never change a style sheet or a policy", () => {
    fc.assert(
      fc.property(evilTexts, evil, (texts, logo) => {
        for (const page of pagesOf(texts)) {
          const { html, csp, nonce } = renderPage(withTexts({ ...texts, logo }), incomingOf(base), page)
          const css = tokensOf(html).find(({ kind, text }) => kind === "raw" && text === "style")?.values[0] ?? ""
          expect(css.split("{").length).toBe(css.split("}").length)
          expect(css).not.toMatch(/url\(|@import|expression/)
          const names = csp.split("; ").map((directive) => directive.split(" ")[0])
          const expected = [
            "default-src",
            "style-src",
            "script-src",
            "img-src",
            "form-action",
            "frame-ancestors",
            "base-uri",
          ]
          expect(names).toEqual(expected.filter((each) => each !== "script-src" || page.name === "forward"))
          expect(csp.replaceAll(nonce, "")).toMatch(/^[\w ;:'./+-]+$/)
        }
      }),
      { numRuns: 300 },
    )
  })

  test("as attribute names of a field are skipped", () => {
    const harmless = /^(?:data-[a-z0-9-]+|aria-[a-z0-9-]+|[a-z]+)$/
    const running = /^(?:on|src|href|form|style|action|class)/
    fc.assert(
      fc.property(fc.oneof(evil, fc.constantFrom("onfocus", "formaction", "style", "srcdoc")), (name) => {
        const field: CredentialInput = Object.fromEntries([[name, "x"]])
        const password = base.providers.get("password")
        if (password?.type !== "credentials") throw new Error("no password provider")
        const auth = { ...base, providers: new Map([["password", { ...password, credentials: { field } }]]) }
        const page: Page = { name: "signin", error: undefined, email: undefined, callbackUrl: "", csrfToken: undefined }
        const inputs = tokensOf(renderPage(auth, incomingOf(base), page).html).filter(({ text }) => text === "input")
        const names = inputs.flatMap((input) => input.names)
        expect(names.filter((each) => !harmless.test(each) || running.test(each))).toEqual([])
      }),
    )
  })
})
