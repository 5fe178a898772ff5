import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import type { Site } from "./site.js"

export const password = "open sesame"

/** Variables that several behaviors share, so that they share servers. */
export const environments = {
  /** Sessions in the database, and the sign-in page of the application. */
  database: { STRATEGY: "database", SIGN_IN_PAGE: "/sign-in" },
  /** Every read renews the session. */
  renewing: { STRATEGY: "database", UPDATE_AGE: "0" },
  /** With the sign-in page of the application, too. */
  strict: { SECURITY: "strict", AUTH_URL: "{origin}{basePath}", SIGN_IN_PAGE: "/sign-in" },
} as const

/** Opens a browser, and signs in with a password at the route. */
export async function signedIn(site: Site, email = "ada@users.test"): Promise<Browser> {
  const browser = site.browse()
  await browser.signIn("credentials", { email, password })
  expect(await browser.session(), "signed in").toMatchObject({ user: { email } })
  return browser
}

/** Path and query of the current page. Some frameworks add a slash to the path. */
export function at(browser: Browser): string {
  const { pathname, search } = new URL(browser.location)
  return pathname.replace(/(?<=.)\/$/, "") + search
}

/** The sign-in page that the browser is on, and where it returns. Some packages name the origin, and only the own one may be. */
export function signInPage(browser: Browser): { readonly page: string; readonly returnsTo: string } {
  const { origin, pathname, searchParams } = new URL(browser.location)
  const target = new URL(searchParams.get("callbackUrl") ?? "", origin)
  const returnsTo = target.origin === origin ? target.pathname + target.search : target.href
  return { page: pathname.replace(/(?<=.)\/$/, ""), returnsTo }
}

/** The text of an element, by its id. */
export function textOf(html: string, id: string): string | undefined {
  const element = new RegExp(`<(\\w+)(?=[^>]*\\sid=["']?${id}["'\\s>])[^>]*>(.*?)</\\1>`, "s")
  const content = element.exec(html.replaceAll(/<!--.*?-->/gs, ""))?.[2]
  return content
    ?.replaceAll(/<[^>]*>/g, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .trim()
}

/** The email of the user that the home page shows. */
export async function userOn(browser: Browser, path = "/"): Promise<string | undefined> {
  await browser.get(path)
  return textOf(browser.text, "user")
}

/** The `Cookie` header with all cookies of the browser, as an old browser sends them to every site. */
export function cookiesOf(browser: Browser): string {
  return browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
}

/** The session cookies that a response sets. */
export function sessionCookies(headers: Headers): readonly string[] {
  return headers.getSetCookie().filter((line) => /session-token[\w.]*=/.test(line.split(";", 1)[0] ?? ""))
}

/** Submits the application's form for a password. */
export async function enterPassword(browser: Browser, email = "ada@users.test", given = password): Promise<void> {
  const form = browser.forms.find(({ id }) => id === "password")
  // Some frameworks need a prefix.
  const nameOf = (field: string) => Object.keys(form?.fields ?? {}).find((name) => name.endsWith(field)) ?? field
  await browser.submitForm("password", { [nameOf("email")]: email, [nameOf("password")]: given })
}

export const stackTrace = /^\s*at .+:\d+:\d+/m
