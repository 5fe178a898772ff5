import type { OIDCConfig } from "@latchkey/core/types"
import { createProvider, type FakeProvider, type Fault, type ProviderOptions } from "@latchkey/testing"
import { expect } from "vitest"
import type { Mode } from "../../../../tests/attack.js"
import { type App, type AppOptions, flowCookies, open, outcome } from "../flows/oauth/app.js"

export interface Setting {
  /** The provider. */
  readonly op?: ProviderOptions
  /** Its entry in the configuration. */
  readonly provider?: Partial<OIDCConfig>
  readonly app?: AppOptions
}

export interface World extends App {
  readonly op: FakeProvider
}

export async function world(mode: Mode, { op: options, provider, app }: Setting = {}): Promise<World> {
  const op = createProvider({ ...options, ...(app?.clock === undefined ? {} : { clock: app.clock }) })
  return { op, ...(await open([op.provider(provider)], { ...app, security: mode })) }
}

export type Claims = Readonly<Record<string, unknown>>

/** Replaces claims of the ID token. `undefined` removes one. */
export function claiming(change: Claims | ((honest: Claims) => Claims)): Fault {
  return {
    idToken: (token) => {
      const changes = typeof change === "function" ? change(token.claims) : change
      return { ...token, claims: { ...token.claims, ...changes } }
    },
  }
}

/**
 * The callback redirects to a built-in page with an error, creates no session and no row, and deletes the flow cookie.
 * A sign-in without the fault then succeeds, which proves that the fault was the reason.
 */
export async function expectRefused(mode: Mode, fault: Fault, setting: Setting = {}): Promise<World> {
  const its = await world(mode, setting)
  const undo = its.op.inject(fault)
  await its.browser.signInWith(its.op, { as: "ada" })
  expectNothingCreated(its)
  expect(its.log.entries.some(({ level }) => level === "error")).toBe(true)
  expect(await its.browser.session()).toBeNull()
  undo()
  const honest = its.browser.fresh()
  await honest.signInWith(its.op, { as: "ada" })
  expect(outcome(honest)).toBe("home")
  return its
}

function expectNothingCreated({ browser, adapter }: World): void {
  const [callback] = browser.trail
  expect(callback?.status).toBe(302)
  expect(callback?.headers.get("location")).toMatch(/^https:\/\/app\.test\/auth\/(?:signin|error)\?/)
  expect(["OAuthCallbackError", "Configuration"]).toContain(outcome(browser))
  expect(storedRows(adapter)).toEqual({ users: [], accounts: [], sessions: [] })
  expect(browser.cookies.filter(({ name }) => name.includes("session-token"))).toEqual([])
  expect(flowCookies(browser)).toEqual([])
}

export function storedRows(adapter: App["adapter"]): Record<"users" | "accounts" | "sessions", readonly unknown[]> {
  const { users, accounts, sessions } = adapter.rows()
  return { users, accounts, sessions }
}

/** The sign-in succeeds and creates exactly one account, with this subject. */
export async function expectAccepted(mode: Mode, fault: Fault, setting: Setting = {}, subject = "ada"): Promise<World> {
  const its = await world(mode, setting)
  its.op.inject(fault)
  await its.browser.signInWith(its.op, { as: "ada" })
  expect(outcome(its.browser)).toBe("home")
  expect(await its.browser.session()).not.toBeNull()
  expect(its.adapter.rows().accounts.map(({ providerAccountId }) => providerAccountId)).toEqual([subject])
  return its
}

/** The same fault while a signed-in user links an account: session and accounts stay unchanged. */
export async function expectNotLinked(mode: Mode, fault: Fault): Promise<void> {
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  const op = createProvider()
  const { browser, adapter } = await open([other.provider(), op.provider()], { security: mode })
  await browser.signInWith(other, { as: "grace" })
  const before = [adapter.rows().users, await browser.session()]
  const undo = op.inject(fault)
  await browser.signInWith(op, { as: "ada", fields: { link: "true" } })
  expect(outcome(browser)).toBe("Configuration")
  const providers = () => adapter.rows().accounts.map(({ provider }) => provider)
  expect(providers()).toEqual(["other"])
  expect([adapter.rows().users, await browser.session()]).toEqual(before)
  undo()
  await browser.signInWith(op, { as: "ada", fields: { link: "true" } })
  expect(providers()).toEqual(["other", "op"])
}
