import { createServer } from "@latchkey/core/server"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { logged, visitor } from "./setup.js"

/** A provider that accepts each refresh token once, and a `jwt` callback that refreshes expired tokens. */
function refreshing() {
  const clock = frozenClock()
  const state = { valid: "r0", refreshes: 0, gate: Promise.resolve() }
  const refresh = async (token: string) => {
    await state.gate
    if (token !== state.valid) throw new Error("invalid_grant: the refresh token was used before")
    state.refreshes++
    state.valid = `r${state.refreshes}`
    return { refresh: state.valid, until: clock.runtime.now() + 3_600_000 }
  }
  const jwt = async ({ token, user, trigger, session }: Parameters<NonNullable<Callbacks["jwt"]>>[0]): Promise<JWT> => {
    if (user) return { ...token, refresh: "r0", until: clock.runtime.now() + 3_600_000 }
    const told = trigger === "update" ? { ...token, nick: session?.["nick"] } : token
    if (Number(told["until"]) > clock.runtime.now()) return told
    return { ...told, ...(await refresh(String(told["refresh"]))) }
  }
  const session: Callbacks["session"] = ({ token }) => ({ expires: "", refresh: token["refresh"], nick: token["nick"] })
  return { clock, state, config: { runtime: clock.runtime, callbacks: { jwt, session } } }
}

type Callbacks = NonNullable<AuthConfig["callbacks"]>

async function signedIn() {
  const { clock, state, config } = refreshing()
  const { config: whole, log } = logged(config)
  const server = createServer(whole)
  const { cookies } = await server.signIn(visitor(), "credentials", { name: "ada", code: "open" })
  clock.advance({ hours: 2 })
  return { server, cookies, state, clock, log }
}

describe("a `jwt` callback that refreshes the provider's tokens", () => {
  test("refreshes once for parallel requests, and each of them gets the result", async () => {
    const { server, cookies, state } = await signedIn()
    const views = await Promise.all(Array.from({ length: 10 }, () => server.session(visitor(cookies))))
    expect(state.refreshes).toBe(1)
    expect(views.map(({ session }) => session)).toEqual(Array(10).fill(expect.objectContaining({ refresh: "r1" })))
  })

  test("loses nothing where no cookie can be set: the next response that can sets it", async () => {
    const { server, cookies, state } = await signedIn()
    const rendered = await server.session(visitor(cookies), { readOnly: true })
    expect(rendered).toMatchObject({ session: { refresh: "r1" }, cookies: [] })
    const again = await server.session(visitor(cookies), { readOnly: true })
    expect(again).toMatchObject({ session: { refresh: "r1" } })
    const answered = await server.session(visitor(cookies))
    expect(answered).toMatchObject({ session: { refresh: "r1" }, cookies: [{ name: "__Secure-authjs.session-token" }] })
    expect(state.refreshes).toBe(1)
    const next = await server.session(visitor(answered.cookies))
    expect(next).toMatchObject({ session: { refresh: "r1" }, cookies: [] })
  })

  test("that fails once leaves the session, and is called again", async () => {
    const { server, cookies, state, log } = await signedIn()
    const { valid } = state
    state.valid = "none"
    expect(await server.session(visitor(cookies))).toMatchObject({ session: null, cookies: [] })
    expect(log.entries.at(-1)?.text).toContain("invalid_grant")
    state.valid = valid
    expect(await server.session(visitor(cookies))).toMatchObject({ session: { refresh: "r1" } })
  })
})

describe("an update", () => {
  test("is not undone by a read with the cookie from before it", async () => {
    const { server, cookies } = await signedIn()
    await server.update(visitor(cookies), { nick: "countess" })
    const late = await server.session(visitor(cookies))
    expect(late).toMatchObject({ session: { nick: "countess" }, cookies: [{ name: "__Secure-authjs.session-token" }] })
  })

  test("waits for a running read and continues with its result", async () => {
    const { server, cookies, state } = await signedIn()
    let open = () => {}
    state.gate = new Promise((resolve) => (open = () => resolve()))
    const reading = server.session(visitor(cookies))
    const updating = server.update(visitor(cookies), { nick: "countess" })
    open()
    await reading
    expect(await updating).toMatchObject({ session: { nick: "countess", refresh: "r1" } })
    expect(state.refreshes).toBe(1)
  })
})

test("a `jwt` callback that returns other claims cannot extend a session beyond its limit", async () => {
  const clock = frozenClock()
  let turn = 0
  const jwt = ({ token }: { token: JWT }): JWT => ({ sub: token.sub ?? "", turn: turn++ })
  const { config } = logged({ runtime: clock.runtime, callbacks: { jwt }, session: { absoluteMaxAge: 3600 } })
  const server = createServer(config)
  const { cookies } = await server.signIn(visitor(), "credentials", { name: "ada", code: "open" })
  clock.advance({ minutes: 40 })
  const renewed = await server.session(visitor(cookies))
  expect(renewed).toMatchObject({ session: {}, cookies: [{ name: "__Secure-authjs.session-token" }] })
  clock.advance({ minutes: 21 })
  expect((await server.session(visitor(renewed.cookies))).session).toBeNull()
})
