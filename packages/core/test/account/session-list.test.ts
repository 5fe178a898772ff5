import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { type Browser, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { sessionKinds } from "./behaviors.js"
import { firefox, site, type SiteOptions } from "./setup.js"

/** What the page says of each session. */
function listed({ text }: Browser): readonly string[] {
  const section = /<section aria-labelledby="account-sessions">.*?<\/section>/s.exec(text)?.[0] ?? ""
  const items = [...section.matchAll(/<span class="what">(.*?)<\/span><\/span>/gs)]
  return items.map(([, item = ""]) =>
    item
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  )
}

/** Ada is signed in, and signs in again in other browsers with these user agents. */
async function signedInWith(userAgents: readonly string[], options: SiteOptions = {}) {
  const its = await site(memoryAdapter(), options)
  await its.browser.signInWith(its.first, { as: "ada" })
  for (const userAgent of userAgents) {
    const other = await visit(its.config, { clock: its.clock, headers: { "user-agent": userAgent } })
    await other.signInWith(its.first, { as: "ada" })
  }
  await its.browser.get("/auth/account")
  return its
}

describe.each(sessionKinds)("with %s", (_, kind) => {
  test("no two sessions look the same, even if one browser started them in one minute", async () => {
    const { browser } = await signedInWith([firefox, firefox, firefox], kind)
    const all = listed(browser)
    expect(all).toHaveLength(4)
    expect(new Set(all).size).toBe(4)
    expect(all[0]).toBe("Firefox on Linux This device Signed in Jan 1, 2026, 12:00 AM UTC")
    expect(all[2]).toBe("Firefox on Linux (2) Signed in Jan 1, 2026, 12:00 AM UTC Last used Jan 1, 2026, 12:00 AM UTC")
  })

  test("a session has the place that the application knows", async () => {
    const place = (request: Request) =>
      Promise.resolve(request.headers.get("user-agent") === firefox ? "Berlin, Germany" : undefined)
    const { account, browser } = await signedInWith(["curl/8"], { ...kind, session: { ...kind.session, place } })
    expect(listed(browser)).toMatchObject([
      expect.stringMatching(/^Firefox on Linux This device Berlin, Germany Signed in/),
      expect.stringMatching(/^Unknown device Signed in/),
    ])
    expect((await account().sessions()).map(({ place: known }) => known)).toEqual(["Berlin, Germany", undefined])
  })
})

test("the times have what the script needs to show them in the user's time zone", async () => {
  const { browser } = await signedInWith([])
  expect(browser.text).toContain('<time datetime="2026-01-01T00:00:00.000Z">')
})

test.each<[string, (request: Request) => never]>([
  [
    "throws",
    () => {
      throw new Error("no database of places")
    },
  ],
  ["returns something else", () => ({ city: "Berlin" }) as never],
])("a place function that %s doesn't keep the user out", async (_, place) => {
  const { browser } = await signedInWith([], { session: { place } })
  expect(listed(browser)).toEqual(["Firefox on Linux This device Signed in Jan 1, 2026, 12:00 AM UTC"])
})

test("a place that never comes delays the sign-in by a second", async () => {
  const { browser } = await signedInWith([], { session: { place: () => new Promise<never>(() => undefined) } })
  expect(listed(browser)).toHaveLength(1)
})

describe("attacks", () => {
  test("neither a user agent nor a place can put HTML into the list (stored XSS)", async () => {
    const evil = '<script>alert(1)</script>"><img src=x onerror=alert(2)> Firefox/1 Windows'
    const { browser } = await signedInWith([evil], {
      session: { place: () => `<b onclick=x>\u202E${"x".repeat(500)}` },
    })
    expect(browser.text).not.toMatch(/<b onclick|<img src=x|alert\(/)
    expect(listed(browser)[1]).toMatch(/^Firefox on Windows &lt;b onclick=x&gt; x{86} Signed in/)
  })
})
