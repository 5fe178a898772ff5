import type { AuthorizationAnswer, Browser } from "@latchkey/testing"
import { browse } from "../applications/http.js"
import type { Application } from "./application.js"

/** A browser without JavaScript. */
export function visitor(origin: string, basePath = "/auth"): Browser {
  return browse(origin, basePath)
}

/** Submits the application's form for a password. */
export async function enterPassword(browser: Browser, name = "ada", password = "open sesame"): Promise<Response> {
  await browser.get("/login/")
  return browser.submitForm("password", { "options.name": name, "options.password": password })
}

/** A browser with a session, from a password. */
export async function signedIn(origin: string, name = "ada"): Promise<Browser> {
  const browser = visitor(origin)
  await enterPassword(browser, name)
  return browser
}

/** A browser with a session, from the provider. */
export async function signedInWith(app: Application, origin: string, as = "linus"): Promise<Browser> {
  const browser = visitor(origin)
  await browser.follow(await authorize(app, browser, as), app.op.issuer)
  return browser
}

/** Submits the application's form for the provider, and consents there. */
export async function authorize({ op }: Application, browser: Browser, as: string): Promise<AuthorizationAnswer> {
  await browser.get("/login/")
  await browser.submitForm("acme")
  // `@auth/qwik` answers with the page and a `Location` header, which only a browser with JavaScript follows.
  return op.authorize(browser.trail[0]?.headers.get("location") ?? "", { as })
}

/** The session in a page, in `sharedMap`, and from the session endpoint. */
export async function sessions(browser: Browser, basePath = "/auth"): Promise<readonly unknown[]> {
  await browser.get("/")
  const shown = /<pre[^>]*id="session"[^>]*>(.*?)<\/pre>/s.exec(browser.text)?.[1] ?? ""
  const shared: unknown = await (await browser.fetch("/api/session/")).json()
  const given: unknown = await (await browser.fetch(`${basePath}/session`)).json()
  return [JSON.parse(shown.replaceAll(/<!--.*?-->/gs, "").replaceAll("&quot;", '"')), shared, given]
}

/** The adapter methods that the application called since the last time. */
export async function adapterCalls(origin: string): Promise<unknown> {
  return (await fetch(`${origin}/calls/`)).json()
}
