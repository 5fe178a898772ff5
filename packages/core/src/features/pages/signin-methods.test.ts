import { describe, expect, test } from "vitest"
import { compile } from "../../../test/compile.js"
import { toAuthRequest } from "../../http/auth-request.js"
import { englishLanguage } from "../../i18n/language.js"
import { compose } from "../../mail/account-letter.js"
import type { AuthContext, ProviderWithMethod } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { CredentialInput } from "../../model/credentials-provider.js"
import type { Provider } from "../../model/given-provider.js"
import type { Theme } from "../../model/pages.js"
import GitHub from "../../providers/github.js"
import Google from "../../providers/google.js"
import { renderPage } from "../../../test/pages/render.js"
import type { PageOf } from "../../html/view.js"

const secret = "Zm9yIHRlc3RzIG9ubHkgZm9yIHRlc3RzIG9ubHkgMTIzNDU2Nzg5MA"
const keys = { clientId: "client", clientSecret: "hush" }

const password = (more: object = {}): Provider => ({
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { username: {}, password: {} } satisfies Record<string, CredentialInput>,
  authorize: () => null,
  ...more,
})

const refuse = (): Promise<never> => Promise.reject(new Error("not on a page"))

const mail: ProviderWithMethod = {
  id: "mail",
  name: "Resend",
  type: "email",
  style: {},
  method: () => refuse(),
  from: undefined,
  maxAge: 60,
  secret: undefined,
  apiKey: undefined,
  server: undefined,
  code: true,
  fetch: () => refuse(),
  sendVerificationRequest: () => undefined,
  sendAccountEmail: undefined,
  compose,
  generateVerificationToken: undefined,
  normalizeIdentifier: undefined,
}

const passkey = {
  id: "passkey",
  name: "Passkey",
  type: "webauthn",
  style: {},
  method: refuse,
  formFields: { email: { label: "Email", required: true } },
  config: {
    id: "passkey",
    name: "Passkey",
    type: "webauthn",
    registrationOptions: { authenticatorSelection: { residentKey: "required" } },
  },
} as unknown as ProviderWithMethod

interface Choices {
  readonly providers?: AuthConfig["providers"]
  readonly more?: readonly ProviderWithMethod[]
  readonly config?: Partial<AuthConfig>
  readonly page?: Partial<PageOf<"signin">>
  readonly locale?: string
}

function pageOf({ providers = [], more = [], config = {}, page = {}, locale = "en" }: Choices): string {
  const compiled = compile({ secret, url: "https://app.test", providers, ...config })
  const all = [...compiled.providers, ...more.map((each) => [each.id, each] as const)]
  const auth: AuthContext = { ...compiled, development: false, providers: new Map(all) }
  const url = new URL("https://app.test/auth/signin")
  const route = { action: "signin", providerId: undefined }
  const visitor = { headers: new Headers(), origin: url.origin }
  const request = toAuthRequest(auth, visitor, { url, method: "GET", body: {}, route })
  const callbackUrl = "https://app.test/"
  const content = {
    name: "signin",
    error: undefined,
    email: undefined,
    callbackUrl,
    csrfToken: "t0ken",
    ...page,
  } as const
  const language = { ...englishLanguage, tag: locale }
  return renderPage(auth, request, content, { language }).html
}

const body = (choices: Choices) => pageOf(choices).replace(/<style.*?<\/style>/s, "")
const both = { providers: [password()], more: [mail] }

describe("of several forms", () => {
  test("one is open, and each of the others has a summary that opens it in its place", () => {
    const html = body(both)
    expect(html.match(/<details[^>]*>/g)).toEqual([`<details open name="method">`, `<details name="method">`])
    expect(html).toMatch(
      /<details name="method"><summary><svg .*?<\/svg><span>Sign in with email instead<\/span><\/summary><form/,
    )
  })

  test("the first one is open, unless another one failed or was used last", () => {
    const openForm = (page: Choices["page"]) =>
      /<details open.*?<form action="[^"]*\/(\w+)"/s.exec(body({ ...both, page: page ?? {} }))?.[1]
    expect(openForm({})).toBe("password")
    expect(openForm({ lastUsed: "mail" })).toBe("mail")
    expect(openForm({ lastUsed: "gone" })).toBe("password")
    expect(openForm({ error: "EmailSignin" })).toBe("mail")
    expect(openForm({ error: "CredentialsSignin", lastUsed: "mail" })).toBe("password")
    const attempt = { provider: "mail", fields: {}, sentAt: 1, again: false }
    expect(openForm({ attempt })).toBe("mail")
    expect(openForm({ attempt, error: "CredentialsSignin" })).toBe("password")
  })

  test("a passkey that names its user isn't one: it has a button, and its fields are for creating another", () => {
    const html = body({ more: [mail, passkey] })
    expect(html).not.toContain("<details name")
    expect(html).toMatch(
      /<button class="button"[^>]* value="authenticate" formnovalidate><svg .*?<span>Sign in with a passkey</,
    )
    expect(html).toMatch(/<details class="more"><summary>Create a passkey<\/summary><label.*?value="register"/s)
  })

  test("a page with one form has no summary", () => {
    expect(body({ providers: [GitHub(keys), password()] })).not.toContain("<details")
  })
})

describe("an error", () => {
  test("is beside the password, which has the focus, and the name stays", () => {
    const attempt = { provider: "password", fields: { username: "ada" }, sentAt: undefined, again: false }
    const html = body({ ...both, page: { error: "CredentialsSignin", attempt } })
    expect(html).toMatch(/<input [^>]*name="username"[^>]* value="ada"/)
    expect(html).toMatch(
      /<input [^>]*name="password" type="password" aria-invalid="true" aria-describedby="signin-error" autofocus>.*?<\/div><div class="error" role="alert"><p id="signin-error">Sign-in failed/s,
    )
    expect(html.match(/autofocus/g)).toHaveLength(1)
    expect(html.match(/id="signin-error"/g)).toHaveLength(1)
  })

  test("of the email is beside the email", () => {
    expect(body({ ...both, page: { error: "EmailSignin" } })).toMatch(
      /name="email"[^>]* aria-invalid="true"[^>]*><div class="error" role="alert">/,
    )
  })

  test.each(["OAuthCallbackError", "RateLimited", "constructor", "__proto__"])("%s is above all forms", (error) => {
    const html = body({ ...both, page: { error } })
    expect(html).toMatch(/<\/h1><div class="error" role="alert">/)
    expect(html).not.toContain("aria-invalid")
  })

  test("is above all forms if it isn't known which of two forms was sent", () => {
    const html = body({ providers: [password(), password({ id: "other" })], page: { error: "CredentialsSignin" } })
    expect(html).toMatch(/<\/h1><div class="error" role="alert">/)
  })
})

describe("the button of", () => {
  const textOf = (choices: Choices) => /<button type="submit" class="submit"[^>]*>([^<]*)</.exec(body(choices))?.[1]

  test("a credentials provider without a name of its own says that it signs in", () => {
    expect(textOf({ providers: [password({ name: "Credentials" })] })).toBe("Sign in")
    expect(textOf({ providers: [password({ name: "Email and password" })] })).toBe("Sign in")
    expect(textOf({ providers: [password({ name: "LDAP" })] })).toBe("Sign in with LDAP")
  })

  test("an email provider doesn't name the mail service", () => {
    expect(textOf({ more: [mail] })).toBe("Email me a sign-in link")
    expect(textOf({ more: [{ ...mail, name: "Magic" }] })).toBe("Sign in with Magic")
  })

  test("a provider says what the configuration says, in the language of the page if there's one", () => {
    const label = (buttonLabel: unknown, locale = "en") => textOf({ providers: [password({ buttonLabel })], locale })
    expect(label("Enter")).toBe("Enter")
    expect(label({ de: "Los", en: "Go" }, "de-CH")).toBe("Los")
    expect(label({ de: "Los", en: "Go" }, "fr")).toBe("Go")
    expect(label({ de: "Los" }, "fr")).toBe("Sign in")
    expect(label({}, "constructor")).toBe("Sign in")
    expect(label(7)).toBe("Sign in")
  })
})

describe("the logo of a provider", () => {
  test("is inline, and has no name of its own", () => {
    expect(body({ providers: [GitHub(keys)] })).toMatch(
      /<svg class="icon" viewbox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="M12[^"]+"><\/path><\/svg><span>Sign in with GitHub</,
    )
    expect(body({ providers: [Google(keys)] }).match(/<path d="[^"]+" fill="#\w{6}">/g)).toHaveLength(4)
  })

  test("is the image of the configuration, if there's one", () => {
    const html = body({ providers: [GitHub({ ...keys, style: { logo: "/own.svg" } })] })
    expect(html).toContain(`<img loading="lazy" width="24" height="24" src="https://app.test/own.svg" alt="">`)
    expect(html).not.toContain("<svg")
  })

  test("is drawn from path data and colors only", () => {
    const icon = [['M0"/><script>'], ["M0 0h1", "url(//evil)"], ["M1 1h1", "red;}"], 7, ["M2 2"]]
    const html = body({ providers: [GitHub({ ...keys, style: JSON.parse(JSON.stringify({ icon })) })] })
    expect(html.match(/<path[^>]*>/g)).toEqual([`<path d="M0 0h1">`, `<path d="M1 1h1">`, `<path d="M2 2">`])
  })
})

describe("many providers", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => GitHub({ ...keys, id: `github-${index}` }))

  test("are in two columns, and keep their whole label for screen readers", () => {
    expect(body({ providers: many(5) })).not.toContain("compact")
    const html = body({ providers: many(6) })
    expect(html).toContain(`<div class="methods compact">`)
    expect(
      html.match(/<span>Sign in with GitHub<\/span><span class="short" aria-hidden="true">GitHub<\/span>/g),
    ).toHaveLength(6)
  })
})

describe("the method of the last sign-in", () => {
  test("is marked, in its place", () => {
    const html = body({ providers: [GitHub(keys), Google(keys)], page: { lastUsed: "google" } })
    expect(html.match(/class="last-used"/g)).toHaveLength(1)
    expect(html).toMatch(
      /<div class="provider provider-1"><span class="last-used">Last used<\/span><form action="[^"]*google"/,
    )
  })

  test("isn't marked if there's no other", () => {
    expect(body({ providers: [GitHub(keys)], page: { lastUsed: "github" } })).not.toContain("last-used")
  })
})

describe("the application", () => {
  test("has its name in the heading and the title, or its host", () => {
    const heading = (name?: string) =>
      /<title>([^<]*)<.*<h1>([^<]*)</s.exec(pageOf({ config: { theme: { name } } }))?.slice(1)
    expect(heading("Acme")).toEqual(["Sign in to Acme", "Sign in to Acme"])
    expect(heading(" ")).toEqual(["Sign in to app.test", "Sign in to app.test"])
    expect(heading("x".repeat(100))).toEqual(["Sign in to app.test", "Sign in to app.test"])
  })

  test("links to the terms and the privacy policy where a visitor can create an account", () => {
    const pages = { terms: "/terms", privacy: "https://id.test/privacy" }
    const links = `<p class="legal"><a href="/terms">Terms of service</a><a href="https://id.test/privacy">Privacy policy</a></p>`
    expect(body({ providers: [GitHub(keys)], config: { pages } })).toContain(links)
    expect(body({ providers: [password()], config: { pages: { ...pages, createAccount: "/join" } } })).toContain(links)
    expect(body({ providers: [password()], config: { pages } })).not.toContain("legal")
  })

  test("is linked, with its pages for users without a password or an account", () => {
    const pages = { forgotPassword: "/forgot", createAccount: "https://id.test/join" }
    const html = body({ providers: [password()], config: { pages } })
    expect(html).toContain(`<p class="forgot"><a href="/forgot">Forgot password?</a></p>`)
    expect(html).toContain(`No account yet? <a href="https://id.test/join">Create an account</a>`)
    expect(html).toContain(`href="https://app.test"`)
    expect(body({ providers: [password()] })).not.toMatch(/class="(?:forgot|other)"/)
  })
})

test("a field named password is hidden, and a button that the script shows reveals it", () => {
  expect(body({ providers: [password()] })).toMatch(
    /<div class="password"><input autocomplete="current-password" id="(input-password-for-password-provider)" name="password" type="password"><button type="button" class="reveal" data-reveal aria-controls="\1" aria-pressed="false" hidden>/,
  )
})

test("the field with the name of the user is marked for the script and for password managers", () => {
  expect(body({ providers: [password()] })).toMatch(
    /<input autocomplete="username" autocapitalize="none" id="[^"]+" name="username" type="text" data-identifier="true">/,
  )
})

describe("the text on the brand color is readable:", () => {
  test.each<readonly [Theme, string]>([
    [{ brandColor: "#ffe600" }, "#000"],
    [{ brandColor: "#ff0000" }, "#000"],
    [{ brandColor: "#1459c7" }, "#fff"],
    [{ brandColor: "#fff", buttonText: "#eee" }, "#000"],
    [{ brandColor: "#111", buttonText: "#ffe600" }, "#ffe600"],
    [{ brandColor: "rebeccapurple", buttonText: "gold" }, "gold"],
  ])("%j has %s", (theme, text) => {
    expect(pageOf({ config: { theme } })).toContain(`:root{--button-text-color:${text}}`)
  })

  test("the browser computes it for a color that only it knows", () => {
    const html = pageOf({ config: { theme: { brandColor: "oklch(0.7 0.1 120)" } } })
    expect(html).toContain("--button-text-color:oklch(from var(--brand-color)")
  })
})
