import { defineModule } from "@latchkey/core/module"
import type { Module, Session } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { errors, siteOf } from "./setup.js"

const expires = "2030-01-01T00:00:00.000Z"
const robot = (name: string): Module => ({
  id: `robot-${name}`,
  identify: ({ headers }) => (headers.get("x-key") === name ? { user: { name }, expires } : null),
})

async function sessionWithKey(modules: readonly Module[], key: string) {
  const site = await siteOf(modules)
  const response = await site.browser.fetch("/auth/session", { headers: { "x-key": key } })
  return { ...site, session: await response.json(), cookies: response.headers.getSetCookie() }
}

describe("identify", () => {
  test("gives a session to a request without a session cookie", async () => {
    const { session, cookies } = await sessionWithKey([robot("r2")], "r2")
    expect(session).toEqual({ user: { name: "r2" }, expires })
    expect(cookies).toEqual([])
  })

  test("is tried in order; the first result decides", async () => {
    const second: Module = { id: "any", identify: () => ({ user: { name: "second" }, expires }) }
    expect((await sessionWithKey([robot("r2"), second], "r2")).session).toMatchObject({ user: { name: "r2" } })
    expect((await sessionWithKey([robot("r2"), second], "c3")).session).toMatchObject({ user: { name: "second" } })
    expect((await sessionWithKey([robot("r2")], "c3")).session).toBeNull()
  })

  test("gets the headers and the origin", async () => {
    const seen: unknown[] = []
    await sessionWithKey(
      [{ id: "m", identify: ({ headers, origin }) => (seen.push(headers.get("x-key"), origin), null) }],
      "k",
    )
    expect(seen).toEqual(["k", "https://app.test"])
  })

  test("is not called when there is a session", async () => {
    const { browser } = await siteOf([{ id: "m", identify: () => ({ user: { name: "module" }, expires }) }])
    await browser.signIn("credentials", { name: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("that fails means no session, is logged, and ends the search", async () => {
    const broken: Module = { id: "broken", identify: () => Promise.reject(new Error("no keys")) }
    const { session, log, browser } = await sessionWithKey([broken, robot("r2")], "r2")
    expect(session).toBeNull()
    expect(errors({ browser, log })).toEqual([expect.objectContaining({ message: expect.stringContaining("broken") })])
  })
})

describe("session", () => {
  const adds = (id: string): Module => ({
    id,
    session: ({ session, headers }) =>
      Object.assign({ ...session }, { trail: `${trailOf(session)}${id}`, at: headers.get("host") }),
  })
  const trailOf = (session: Session) => ("trail" in session ? String(session.trail) : "")

  test("adds to what the `session` callback returned, in the order of the configuration", async () => {
    const callbacks = { session: ({ session }: { session: Session }) => ({ ...session, trail: "callback " }) }
    const { browser } = await siteOf([adds("a"), adds("b")], { callbacks })
    await browser.signIn("credentials", { name: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" }, trail: "callback ab" })
  })

  test("is not called without a session", async () => {
    const { browser } = await siteOf([{ id: "m", session: () => ({ user: { name: "mallory" }, expires }) }])
    expect(await browser.session()).toBeNull()
  })

  test("that fails makes the session null for one request, and keeps the cookie", async () => {
    const turns = [true, false]
    const flaky: Module = {
      id: "flaky",
      session: ({ session }) => (turns.shift() === true ? Promise.reject(new Error("away")) : session),
    }
    const site = await siteOf([flaky])
    await site.browser.signIn("credentials", { name: "ada" })
    expect(await site.browser.session()).toBeNull()
    expect(errors(site)).toEqual([expect.objectContaining({ type: "JWTSessionError" })])
    expect(await site.browser.session()).toMatchObject({ user: { name: "ada" } })
  })
})

describe("events", () => {
  const listener = (id: string, heard: string[]): Module => ({
    id,
    on: {
      signIn: ({ user }) => void heard.push(`${id} signIn ${user.name}`),
      session: () => void heard.push(`${id} session`),
      signOut: () => void heard.push(`${id} signOut`),
      signInFailure: ({ error }) => void heard.push(`${id} ${error.name}`),
    },
  })

  test("are sent to the configuration first, then to the modules in order", async () => {
    const heard: string[] = []
    const { on: events = {} } = listener("config", heard)
    const { browser } = await siteOf([listener("a", heard), listener("b", heard)], { events })
    await browser.signIn("credentials", { name: "ada" })
    await browser.session()
    await browser.signOut()
    const names = ["signIn ada", "session", "signOut"]
    expect(heard).toEqual(names.flatMap((name) => ["config", "a", "b"].map((id) => `${id} ${name}`)))
  })

  test("a failed sign-in is reported, also when a guard refused", async () => {
    const heard: string[] = []
    const { browser } = await siteOf([
      listener("a", heard),
      defineModule({ id: "no", load: async () => ({ guard: () => ({ kind: "deny", reason: "no" }) }) }),
    ])
    await browser.signIn("credentials", { name: "ada" })
    expect(heard).toEqual(["a AccessDenied"])
  })

  test("a handler that fails is logged; the sign-in and the other handlers continue", async () => {
    const heard: string[] = []
    const broken: Module = { id: "broken", on: { signIn: () => Promise.reject(new Error("full")) } }
    const site = await siteOf([broken, listener("a", heard)])
    await site.browser.signIn("credentials", { name: "ada" })
    expect(heard).toEqual(["a signIn ada"])
    expect(await site.browser.session()).toMatchObject({ user: { name: "ada" } })
    expect(errors(site)).toEqual([expect.objectContaining({ type: "EventError" })])
  })

  test("with `waitUntil` a handler does not delay the response", async () => {
    const waiting: Promise<unknown>[] = []
    let release = (): void => undefined
    const slow = new Promise<void>((resolve) => {
      release = resolve
    })
    const { browser } = await siteOf([{ id: "slow", on: { signIn: () => slow } }], {
      waitUntil: (work) => void waiting.push(work),
    })
    await browser.signIn("credentials", { name: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
    release()
    await Promise.all(waiting)
    expect(waiting).toHaveLength(1)
  })
})
