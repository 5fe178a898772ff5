import fc from "fast-check"
import { expect, test } from "vitest"
import { AuthError } from "@latchkey/core/errors"
import { holds, patience } from "./holds.js"
import { expectTame } from "./markup.js"
import { requestOf, type Sketch, sketch } from "./requests.js"
import { origin, type Site, sites } from "./site.js"

const all = await sites()

/** Allowed targets of redirects: this site, or the provider. */
function expectAllowed(address: string, why: string): void {
  const url = new URL(address, origin)
  expect([origin, "https://op.test"], why).toContain(url.origin)
  if (url.origin !== origin) expect(`${url.origin}${url.pathname}`, why).toBe("https://op.test/authorize")
  const carried = url.searchParams.get("callbackUrl")
  if (url.origin === origin && carried !== null) expect(new URL(carried, origin).origin, why).toBe(origin)
}

const uncached = /^(?:private, )?no-cache, no-store$/

async function expectWellFormed(site: Site, given: Sketch): Promise<void> {
  const request = requestOf(given, site)
  if (request === undefined) return
  site.errors.length = 0
  const why = `${site.name}: ${request.method} ${request.url}`
  const response = await site.send(request)
  const text = await response.text()
  const isErrorPage = new URL(request.url).pathname.replace(/\/$/, "") === "/auth/error"
  // The page about an invalid configuration always has that status.
  if (!isErrorPage || response.status !== 500)
    expect(response.status, `${why}\n${site.errors.join("\n")}`).toBeLessThan(500)
  expect(response.headers.get("cache-control") ?? "", why).toMatch(uncached)
  for (const error of site.errors) expectForeseen(error, why)
  const to = response.headers.get("location")
  if (to !== null) expectAllowed(to, why)
  expectContent(response, text, why)
}

/** A fault has its own type. An error that only wraps another has the base type, and the cause. */
function expectForeseen(error: Error, why: string): void {
  const cause: unknown = error instanceof AuthError ? error.cause?.err : error
  const unforeseen = error instanceof AuthError ? /^(?:AuthError|CallbackRouteError)$/.test(error.type) : true
  if (unforeseen) expect(cause, `${why}\n${error.stack}`).toBeUndefined()
}

function expectContent({ headers, status }: Response, text: string, why: string): void {
  const type = headers.get("content-type") ?? ""
  expect(headers.get("x-content-type-options"), why).toBe("nosniff")
  if (type.startsWith("text/html")) expectTame(text, origin)
  else if (text !== "") expect([type, typeof JSON.parse(text)], why).toEqual(["application/json", expect.any(String)])
  for (const line of headers.getSetCookie())
    expect(line, why).toMatch(/^[\w.-]+=[\x21-\x7e]*(?:; [A-Za-z-]+(?:=[^;]*)?)*$/)
  if (text === "") expect(status === 200 && type.startsWith("text/html") && !why.includes("HEAD")).toBe(false)
}

for (const site of all) {
  test(
    `any request to a site (${site.name}) gets a well-formed response that leads to no other site`,
    () =>
      holds(
        fc.asyncProperty(sketch, (given) => expectWellFormed(site, given)),
        0.2,
      ),
    patience,
  )
}
