import { describe, expect, test } from "vitest"
import { compile } from "../../../test/compile.js"
import { toAuthRequest } from "../../http/auth-request.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthConfig } from "../../model/config.js"
import type { AuthRequest, Page, SafeUrl } from "../../model/http.js"
import type { RenderedPage } from "../../model/built-in-pages.js"
import { renderPage } from "../../../test/pages/render.js"
import type { PageOf } from "../../html/view.js"

const secret = "Zm9yIHRlc3RzIG9ubHkgZm9yIHRlc3RzIG9ubHkgMTIzNDU2Nzg5MA"

function authOf(config: Partial<AuthConfig> = {}, more: Partial<AuthContext> = {}): AuthContext {
  return { ...compile({ secret, url: "https://app.test", providers: [], ...config }), development: false, ...more }
}

function incomingOf(auth: AuthContext): AuthRequest {
  const route = { action: "signin", providerId: undefined }
  const url = new URL("https://app.test/auth/signin?csrfToken=EVIL&providers=x&theme=x")
  return toAuthRequest(auth, { headers: new Headers(), origin: url.origin }, { url, method: "GET", body: {}, route })
}

function render(auth: AuthContext, page: Page): RenderedPage {
  return renderPage(auth, incomingOf(auth), page)
}

const callbackUrl = "https://app.test/home"

function signIn(auth: AuthContext, more: Partial<PageOf<"signin">> = {}): RenderedPage {
  return render(auth, { name: "signin", error: undefined, email: undefined, callbackUrl, csrfToken: "t0ken", ...more })
}

function error(more: Partial<PageOf<"error">> = {}, auth: AuthContext = authOf()): RenderedPage {
  return render(auth, { name: "error", error: undefined, ...more })
}

function directive(csp: string, name: string): string | undefined {
  return csp.split("; ").find((each) => each.startsWith(`${name} `))
}

describe("every page", () => {
  const everyPage: Page[] = [
    { name: "signin", error: undefined, email: undefined, callbackUrl, csrfToken: "t0ken" },
    { name: "signout", callbackUrl, csrfToken: "t0ken" },
    { name: "error", error: undefined },
    { name: "verify-request" },
    { name: "confirm-email", action: "https://app.test/auth/callback/mail", fields: {}, csrfToken: "t0ken" },
    { name: "forward", action: "https://preview.test/auth/callback/acme" as SafeUrl, fields: {} },
  ]

  test.each(everyPage)("$name has the document structure and classes of Auth.js v5", (page) => {
    const { html, nonce } = render(authOf({ theme: { colorScheme: "dark" } }), page)
    expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/)
    expect(html).toContain(`<meta name="robots" content="noindex">`)
    expect(html).toContain(`<body class="__next-auth-theme-dark">\n<div class="page"><main class="${page.name}">`)
    expect(html.match(/<h1>/g)).toHaveLength(1)
    expect(html).toContain(`<style nonce="${nonce}">`)
  })

  test.each(everyPage)("$name loads no other resources and can't be framed", (page) => {
    const { csp, nonce } = render(authOf(), page)
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
    expect(csp).toContain(`default-src 'none'; style-src 'nonce-${nonce}'; `)
    expect(csp).toMatch(/frame-ancestors 'none'; base-uri 'none'$/)
    expect(directive(csp, "script-src")).toBe(page.name === "forward" ? `script-src 'nonce-${nonce}'` : undefined)
  })

  test("has a new nonce each time", () => {
    expect(signIn(authOf()).nonce).not.toBe(signIn(authOf()).nonce)
  })

  test("uses the colors of the theme only if they're valid", () => {
    const { html } = signIn(authOf({}, { theme: { brandColor: "#ff0000", buttonText: "red;}body{display:none" } }))
    expect(html).toContain(":root{--brand-color:#ff0000}")
    expect(html).not.toContain("red;}")
  })

  test("follows the device for an unknown color scheme", () => {
    const theme = JSON.parse(`{"colorScheme":"evil"}`)
    expect(signIn(authOf({}, { theme })).html).toContain(`<body class="__next-auth-theme-auto">`)
  })

  test("shows the logo of the theme, and its policy allows only that site", () => {
    const { html, csp } = error({}, authOf({ theme: { logo: "https://cdn.test/logo.png" } }))
    expect(html).toContain(`<img class="logo" src="https://cdn.test/logo.png" alt="Logo">`)
    expect(directive(csp, "img-src")).toBe("img-src 'self' data: https://cdn.test")
  })

  test.each(["http://cdn.test/a.png", "javascript:alert(1)", "data:text/html,x", "https://a;b.test/x", ""])(
    "shows no logo from %j",
    (logo) => {
      const { html, csp } = error({}, authOf({}, { theme: { logo } }))
      expect(html).not.toContain("<img")
      expect(directive(csp, "img-src")).toBe("img-src 'self' data:")
    },
  )
})

describe("the sign-out page", () => {
  test("asks for confirmation and posts to its own route", () => {
    const { html, csp } = render(authOf(), {
      name: "signout",
      csrfToken: "t0ken",
      callbackUrl: "https://other.test/bye",
    })
    expect(html).toContain(`<form action="https://app.test/auth/signout" method="POST">`)
    expect(html).toContain(`<input type="hidden" name="csrfToken" value="t0ken">`)
    expect(html).toMatch(/<button type="submit" class="submit" id="submitButton">Sign out<\/button>/)
    expect(directive(csp, "form-action")).toBe("form-action 'self' https://other.test")
  })
})

describe("the sign-out page of", () => {
  const signOut = (user: PageOf<"signout">["user"]) =>
    render(authOf(), { name: "signout", csrfToken: "t0ken", callbackUrl: "https://app.test/inbox", user }).html

  test("a user says who is signed in, and leads back", () => {
    const html = signOut({ label: "ada@example.test" })
    expect(html).toContain("You&#39;re signed in as <strong><bdi>ada@example.test</bdi></strong>.")
    expect(html).toContain(`<a class="button cancel" href="https://app.test/inbox">Cancel</a>`)
  })

  test("a user without an email or name, or if the session can't be read, only asks", () => {
    for (const user of [{ label: undefined }, undefined]) {
      const html = signOut(user)
      expect(html).toContain("Are you sure you want to sign out?")
      expect(html).not.toContain("signed in as")
    }
  })

  test("a visitor offers to sign in, and hides the form, which Auth.js v5 shows to everyone", () => {
    const html = signOut(null)
    expect(html).toContain("<h1>You aren&#39;t signed in</h1>")
    expect(html).toContain(`href="https://app.test/auth/signin?callbackUrl=https%3A%2F%2Fapp.test%2Finbox">Sign in</a>`)
    expect(html).toContain(`<div hidden><form action="https://app.test/auth/signout" method="POST">`)
    expect(html).not.toContain("Are you sure")
  })
})

describe("the error page", () => {
  test.each([
    ["Configuration", 500, "Server error"],
    ["AccessDenied", 403, "Access denied"],
    ["Verification", 403, "Unable to sign in"],
    ["RateLimited", 429, "Too many attempts"],
    ["WebAuthnVerificationError", 400, "Unable to sign in"],
    ["constructor", 400, "Error"],
    ["Default", 400, "Error"],
    [undefined, 400, "Error"],
  ])("for %s has status %d and the heading %s", (code, status, heading) => {
    const page = error({ error: code })
    expect(page.status).toBe(status)
    expect(page.html).toContain(`<h1>${heading}</h1>`)
  })

  test("links to the sign-in page", () => {
    expect(error({ error: "AccessDenied" }).html).toContain(
      `<a class="button submit" href="https://app.test/auth/signin">Sign in</a>`,
    )
  })

  test("for an unknown error links to the site and doesn't repeat the error", () => {
    const { html } = error({ error: "call 0900-EVIL", code: "EVIL" })
    expect(html).toContain(`<a class="site" href="https://app.test">app.test</a>`)
    expect(html).not.toContain("EVIL")
  })

  test("offers to sign in again after a failed check", () => {
    const { html, status } = error({ error: "Configuration", code: "InvalidCheck" })
    expect(status).toBe(400)
    expect(html).toContain("<h1>Sign-in couldn&#39;t be completed</h1>")
    expect(html).toContain(">Sign in again</a>")
  })

  test("shows details in development and only an ID in production", () => {
    const failure = { error: "Configuration", detail: "TypeError: <issuer>", id: "a1-B2" }
    const inDevelopment = error(failure, authOf({}, { development: true })).html
    expect(inDevelopment).toContain("TypeError: &lt;issuer&gt;")
    const inProduction = error(failure).html
    expect(inProduction).toContain("Error ID: a1-B2")
    expect(inProduction).not.toContain("TypeError")
    expect(error({ id: "call 0900-EVIL" }).html).not.toContain("EVIL")
  })
})

test("the page after a request for a link links to the site", () => {
  const { html } = render(authOf(), { name: "verify-request" })
  expect(html).toContain("<h1>Check your email</h1>")
  expect(html).toContain(`<a class="site" href="https://app.test">app.test</a>`)
})

describe("the form for a code of a known length", () => {
  const form = { action: "https://app.test/auth/callback/mail", csrfToken: "t0ken", callbackUrl: undefined }
  const verify = (length: number | undefined, digits = true) =>
    render(authOf(), { name: "verify-request", form: { ...form, digits, length } }).html
  const boxes = (html: string) => /<div class="code">((?:<span><\/span>)+)<input id="input-code"/.exec(html)?.[1]

  test.each([
    [6, true, "6-digit code", 6],
    [4, false, "4-character code", 4],
    [8, true, "8-digit code", 8],
    [9, true, "9-digit code", undefined],
    [undefined, true, "Code from the email", undefined],
  ])("of %j characters has one input and a box for each of up to eight", (length, digits, label, count) => {
    const html = verify(length, digits)
    expect(html).toContain(`for="input-code">${label}</label>`)
    expect(boxes(html)?.split("<span></span>").length).toBe(count === undefined ? undefined : count + 1)
    expect(html.match(/name="code"/g)).toHaveLength(1)
    expect(html).toContain(`data-code="${length ?? ""}"`)
  })
})

describe("the form for a code", () => {
  const action = "https://app.test/auth/callback/mail"
  const form = { action, csrfToken: "t0ken", callbackUrl: "https://other.test/x", digits: true }
  const page: Page = { name: "verify-request", form }

  test("posts to the callback, supports autofill, and can redirect to the callback URL", () => {
    const { html, csp } = render(authOf(), page)
    expect(html).toContain(
      `<form action="${action}" method="POST"><input type="hidden" name="csrfToken" value="t0ken">`,
    )
    expect(html).toMatch(/<label[^>]* for="input-code">[^<]+<\/label><input id="input-code" name="code" type="text"/)
    expect(html).toContain(`inputmode="numeric" autocomplete="one-time-code"`)
    expect(csp).toContain("form-action 'self' https://other.test")
    expect(html).not.toContain('role="alert"')
  })

  test("shows one error, with or without a form", () => {
    for (const given of [page, { name: "verify-request" } as const]) {
      const { html } = render(authOf(), { ...given, error: "Verification" })
      expect(html.match(/role="alert"/g)).toHaveLength(1)
      expect(html).toContain(`href="https://app.test/auth/signin"`)
    }
  })
})

describe("the confirmation of a link", () => {
  const page: Page = {
    name: "confirm-email",
    action: "https://app.test/auth/callback/mail",
    fields: { token: "abc", email: "ada@example.com", callbackUrl: "https://other.test/" },
    csrfToken: "t0ken",
  }

  test("names the site and posts the parameters of the link", () => {
    const { html, csp } = render(authOf(), page)
    expect(html).toContain("<h1>Sign in to app.test</h1>")
    expect(html).toContain(`<form action="https://app.test/auth/callback/mail" method="POST">`)
    const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)">/g)].map((found) => [
      found[1],
      found[2],
    ])
    expect(Object.fromEntries(hidden)).toEqual({ ...page.fields, csrfToken: "t0ken" })
    expect(html.match(/<button/g)).toHaveLength(1)
    expect(directive(csp, "form-action")).toBe("form-action 'self' https://other.test")
  })

  test("loads no logo from another site, because its URL contains the token", () => {
    expect(render(authOf({ theme: { logo: "https://cdn.test/a.png" } }), page).html).not.toContain("<img")
    expect(render(authOf({ theme: { logo: "/a.png" } }), page).html).toContain(`src="https://app.test/a.png"`)
  })
})

describe("the page that forwards a form", () => {
  const forward = (action: string): RenderedPage =>
    render(authOf(), { name: "forward", action: action as SafeUrl, fields: { submit: "x", code: "c0de" } })

  test("submits by script, and has a button for browsers without scripts", () => {
    const { html, nonce } = forward("https://preview.test/auth/callback/acme")
    expect(html).toContain(`<form action="https://preview.test/auth/callback/acme" method="POST">`)
    expect(html).toContain(`<script nonce="${nonce}">HTMLFormElement.prototype.submit.call(document.forms[0])</script>`)
    expect(html).toContain(`<input type="hidden" name="code" value="c0de">`)
    expect(html).toContain(">Continue</button>")
  })

  test("can post only to that site, if a policy can name it", () => {
    expect(directive(forward("https://preview.test/x").csp, "form-action")).toBe("form-action https://preview.test")
    expect(directive(forward("https://app.test/x").csp, "form-action")).toBe("form-action 'self'")
    expect(directive(forward("http://[::1]:3000/x").csp, "form-action")).toBeUndefined()
  })
})
