import type { AuthorizationAnswer, Consent, FakeProvider } from "../provider/model.js"
import { trackSecret } from "../secrets.js"
import type { Browser, BrowserOptions, Fields, SignInWith } from "./model.js"

export function pathTo({ basePath = "/auth" }: BrowserOptions, ...parts: readonly string[]): string {
  return [basePath.replace(/\/$/, ""), ...parts].join("/")
}

export async function session(browser: Browser, app: BrowserOptions): Promise<unknown> {
  const response = await browser.fetch(pathTo(app, "session"))
  return await response.json()
}

export async function csrf(browser: Browser, app: BrowserOptions): Promise<string | undefined> {
  const response = await browser.fetch(pathTo(app, "csrf"))
  if (!response.ok) return undefined
  const token = propertyOf(await response.json(), "csrfToken")
  trackSecret("CSRF token", token)
  return typeof token === "string" ? token : undefined
}

export async function signIn(
  browser: Browser,
  app: BrowserOptions,
  provider: string,
  fields: Fields = {},
): Promise<Response> {
  const providers: unknown = await (await browser.fetch(pathTo(app, "providers"))).json()
  const type = propertyOf(propertyOf(providers, provider), "type")
  const action = type === "credentials" ? "callback" : "signin"
  return await browser.post(pathTo(app, action, provider), { ...(await csrfField(browser)), ...fields })
}

export async function signInWith(
  browser: Browser,
  app: BrowserOptions,
  op: FakeProvider,
  { as, provider = op.id, fields = {}, query = {} }: SignInWith,
): Promise<Response> {
  const search = new URLSearchParams(query).toString()
  const path = pathTo(app, "signin", provider)
  const url = search === "" ? path : `${path}?${search}`
  const response = await browser.post(url, { ...(await csrfField(browser)), ...fields })
  // The app may have rejected the sign-in before the redirect. Then the test can inspect its page.
  return isAt(browser, op) ? await consentAt(browser, op, { as }) : response
}

function isAt({ location }: Browser, { issuer }: FakeProvider): boolean {
  return new URL(location).origin === new URL(issuer).origin
}

export async function consentAt(browser: Browser, op: FakeProvider, consent: Consent): Promise<Response> {
  return await follow(browser, await op.authorize(browser.location, consent), op.issuer)
}

export async function follow(browser: Browser, answer: AuthorizationAnswer, from: string): Promise<Response> {
  return answer.method === "GET"
    ? await browser.get(answer.location, { from })
    : await browser.post(answer.action, answer.fields, { from })
}

export async function signOut(browser: Browser, app: BrowserOptions, fields: Fields = {}): Promise<Response> {
  return await browser.post(pathTo(app, "signout"), { ...(await csrfField(browser)), ...fields })
}

export async function csrfField(browser: Browser): Promise<Fields> {
  const csrfToken = await browser.csrf()
  return csrfToken === undefined ? {} : { csrfToken }
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
