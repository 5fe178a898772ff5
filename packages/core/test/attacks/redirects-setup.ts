import { expect } from "vitest"
import { location, origin } from "../http/app.js"

/** URLs of other origins, many of which look like this site. */
export const foreign: readonly string[] = [
  "https://evil.test?x=app.test",
  "https://app.test.evil.test",
  "https://app.test@evil.test",
  "https://app.test:443@evil.test/",
  "https://evil.test/.app.test",
  "https://evil.test#@app.test",
  "https://evil.test\\@app.test",
  "https://xapp.test/",
  "https://sub.app.test/",
  "https://app.test./",
  "http://app.test",
  "https://app.test:444",
  "//evil.test",
  "///evil.test",
  "/\\evil.test",
  "\\\\evil.test",
  "/\t/evil.test",
  "\thttps://evil.test",
  " https://evil.test",
  "https:\\\\evil.test",
  "https:///evil.test",
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "JAVASCRIPT://app.test/%0aalert(1)",
  "data:text/html,x",
  "blob:https://app.test/x",
  "blob:",
  "view-source:https://app.test/",
  "filesystem:https://app.test/x",
  "ftp://app.test/",
  "custom-scheme:evil",
  "myapp://app.test/",
  "https://app\u3002test.evil.test",
  "https://evil.test\r\nset-cookie: a=b",
]

/** Relative URLs that resolve to this site. */
export const relative: readonly string[] = [
  "evil.test",
  "https:evil.test",
  "demo/..//evil.test",
  "/demo/..//evil.test",
  "/.//evil.test",
  "%2F%2Fevil.test",
  "/%2F/evil.test",
  "/%5Cevil.test",
  "@evil.test",
  "?next=https://evil.test",
  "..//..//evil.test",
]

/** The URL has this origin, as a browser parses it. */
export function expectHere(address: string | null | undefined, why: string): void {
  expect(address, why).toEqual(expect.any(String))
  const text = String(address)
  expect(text.startsWith(origin) && new URL(text).origin === origin, `${why} → ${text}`).toBe(true)
}

/** The redirect and its `callbackUrl` parameter lead to this origin. */
export function expectRedirectHere(response: Response, why: string): void {
  expect([302, 303], why).toContain(response.status)
  const to = location(response)
  expectHere(to, why)
  const carried = new URL(String(to)).searchParams.get("callbackUrl")
  if (carried !== null) expectHere(carried, why)
}
