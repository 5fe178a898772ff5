import { describe, expect, test } from "vitest"
import { type CookieUse, createJar, frozenClock } from "../src/index.js"

function use(url: string, change: Partial<CookieUse> = {}): CookieUse {
  return { url: new URL(url), method: "GET", sameSite: true, navigation: true, ...change }
}

/** The `Cookie` header for `to` after a response of `from` with these `Set-Cookie` headers. */
function sent(lines: string | readonly string[], from: string, to: string, change: Partial<CookieUse> = {}): string {
  const jar = createJar(() => 0)
  jar.store([lines].flat(), use(from))
  return jar.header(use(to, change))
}

const app = "https://app.test/auth/callback"

describe("a cookie goes", () => {
  test.each([
    ["to the host that set it", "a=1; Path=/", app, "https://app.test/", "a=1"],
    ["not to a subdomain", "a=1; Path=/", app, "https://www.app.test/", ""],
    ["to subdomains of its Domain", "a=1; Path=/; Domain=.APP.test", app, "https://www.app.test/", "a=1"],
    ["not to a host with the same ending", "a=1; Path=/; Domain=app.test", app, "https://evil-app.test/", ""],
    ["to paths below its Path", "a=1; Path=/auth", app, "https://app.test/auth/session", "a=1"],
    ["not to a path with the same beginning", "a=1; Path=/auth", app, "https://app.test/authsession", ""],
    ["without a Path to the directory of the page", "a=1", app, "https://app.test/auth/other", "a=1"],
    ["without a Path not above that directory", "a=1", app, "https://app.test/", ""],
    ["not over http when Secure", "a=1; Path=/; Secure", app, "http://app.test/", ""],
    ["over http when not Secure", "a=1; Path=/", app, "http://app.test/", "a=1"],
    ["as only its value if it's nameless", "lonely; Path=/", app, "https://app.test/", "lonely"],
    ["with an empty value", "a=; Path=/", app, "https://app.test/", "a="],
    ["with everything after the first =", "a=b=c; Path=/", app, "https://app.test/", "a=b=c"],
  ])("%s", (_, line, from, to, header) => {
    expect(sent(line, from, to)).toBe(header)
  })

  test("in the order of path length, then creation", () => {
    const lines = ["a=1; Path=/", "b=2; Path=/auth", "c=3; Path=/", "a=4; Path=/"]
    expect(sent(lines, app, "https://app.test/auth")).toBe("b=2; a=4; c=3")
  })
})

describe("a cookie is rejected", () => {
  test.each([
    ["for a domain that is not the host's", "a=1; Domain=other.test"],
    ["for a public suffix", "a=1; Domain=test"],
    ["with SameSite=None but not Secure", "a=1; Path=/; SameSite=None"],
    ["with __Secure- but not Secure", "__Secure-a=1; Path=/"],
    ["with __Host- but a path", "__Host-a=1; Secure; Path=/auth"],
    ["with __Host- but no path", "__Host-a=1; Secure"],
    ["with __Host- and a domain", "__Host-a=1; Secure; Path=/; Domain=app.test"],
    ["with __host- in other case and a domain", "__hOsT-a=1; Secure; Path=/; Domain=app.test"],
    ["without a name but with a prefixed value", "=__Host-a=1; Path=/"],
    ["with more than 4096 bytes of name and value", `a=${"x".repeat(4096)}; Path=/`],
    ["with 4096 characters of two bytes", `a=${"é".repeat(2048)}; Path=/`],
    ["with a control character", "a=1\u0000; Path=/"],
    ["without name and value", "; Path=/"],
  ])("%s", (_, line) => {
    const jar = createJar(() => 0)
    jar.store([line], use(app))
    expect(jar.cookies).toEqual([])
  })

  test("that is Secure, over http", () => {
    expect(sent("a=1; Path=/; Secure", "http://app.test/", "https://app.test/")).toBe("")
  })

  test("over http if it would overlay a Secure cookie", () => {
    const jar = createJar(() => 0)
    jar.store(["a=safe; Path=/; Secure"], use(app))
    jar.store(["a=forced; Path=/"], use("http://app.test/"))
    expect(jar.header(use(app))).toBe("a=safe")
  })

  test("from a cross-site fetch, unless SameSite=None", () => {
    const jar = createJar(() => 0)
    const fetched = use(app, { sameSite: false, navigation: false })
    jar.store(["a=1; Secure", "b=2; Secure; SameSite=None", "c=3; SameSite=Strict"], fetched)
    expect(jar.cookies.map(({ name }) => name)).toEqual(["b"])
  })
})

describe("4096 bytes", () => {
  test("are accepted, not counting attributes", () => {
    const value = "x".repeat(4095)
    expect(sent(`a=${value}; Path=/; Secure; HttpOnly`, app, app)).toBe(`a=${value}`)
  })
})

describe("a prefix", () => {
  test.each(["__Secure-a=1; Secure; Path=/auth", "__Host-a=1; Secure; Path=/"])("is accepted in %s", (line) => {
    expect(sent(line, app, "https://app.test/auth")).toMatch(/-a=1$/)
  })
})

describe("SameSite", () => {
  const all = ["none=1; SameSite=None; Secure", "lax=1; SameSite=Lax", "default=1", "strict=1; SameSite=Strict"]
  const names = (change: Partial<CookieUse>) =>
    sent(
      all.map((line) => `${line}; Path=/`),
      app,
      app,
      change,
    ).replaceAll("=1", "")

  test.each<[string, Partial<CookieUse>, string]>([
    ["sends everything within the site", { method: "POST" }, "none; lax; default; strict"],
    ["holds strict ones back when another site links", { sameSite: false }, "none; lax; default"],
    ["holds lax ones back when another site posts", { sameSite: false, method: "POST" }, "none"],
    ["holds lax ones back when another site fetches", { sameSite: false, navigation: false }, "none"],
  ])("%s", (_, change, sentNames) => {
    expect(names(change)).toBe(sentNames)
  })

  test("is lax if it's missing or unknown", () => {
    const jar = createJar(() => 0)
    jar.store(["a=1", "b=1; SameSite=Sometimes", "c=1; SameSite=STRICT"], use(app))
    expect(jar.cookies.map(({ sameSite }) => sameSite)).toEqual(["lax", "lax", "strict"])
  })
})

describe("a lifetime", () => {
  test("follows Max-Age before Expires", () => {
    const clock = frozenClock()
    const jar = createJar(clock.now)
    jar.store(["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], use(app))
    clock.advance({ seconds: 59 })
    expect(jar.header(use(app))).toBe("a=1")
    clock.advance({ seconds: 1 })
    expect(jar.cookies).toEqual([])
  })

  test("follows Expires", () => {
    const clock = frozenClock(Date.UTC(2026, 0, 1))
    const jar = createJar(clock.now)
    jar.store(["a=1; Expires=Thu, 01 Jan 2026 00:01:00 GMT"], use(app))
    expect(jar.header(use(app))).toBe("a=1")
    clock.advance({ minutes: 1 })
    expect(jar.header(use(app))).toBe("")
  })

  test("is at most 400 days", () => {
    const jar = createJar(() => 0)
    jar.store(["a=1; Max-Age=99999999999", "b=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT"], use(app))
    expect(jar.cookies.map(({ expires }) => expires)).toEqual([400 * 86_400_000, 400 * 86_400_000])
  })

  test.each(["Max-Age=0", "Max-Age=-1", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"])(
    "of %s deletes the cookie",
    (life) => {
      const jar = createJar(() => Date.UTC(2026, 0, 1))
      jar.store(["a=1; Path=/", `a=; Path=/; ${life}`], use(app))
      expect(jar.cookies).toEqual([])
    },
  )

  test("deletes nothing at another path", () => {
    const jar = createJar(() => 0)
    jar.store(["a=1; Path=/", "a=; Path=/auth; Max-Age=0"], use(app))
    expect(jar.header(use(app))).toBe("a=1")
  })

  test("that is invalid is that of a session cookie", () => {
    const jar = createJar(() => 0)
    jar.store(["a=1; Max-Age=soon; Expires=never"], use(app))
    expect(jar.cookies[0]?.expires).toBeUndefined()
  })
})

describe("a test", () => {
  test("can add and remove a cookie", () => {
    const jar = createJar(() => 0)
    jar.store(["a=1; Path=/"], use(app))
    const [cookie] = jar.cookies
    if (cookie !== undefined) jar.put({ ...cookie, value: "2" })
    expect(jar.header(use(app))).toBe("a=2")
    jar.remove("a")
    expect(jar.header(use(app))).toBe("")
  })
})
