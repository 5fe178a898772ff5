import { Auth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import {
  type Answer,
  type Browser,
  type FakeProvider,
  type FrozenClock,
  type Fault,
  openBrowser,
} from "@latchkey/testing"
import { expect } from "vitest"
import { answerOf, type App, begin, outcome } from "../flows/oauth/app.js"

/** The errors that an OAuth callback can end with. */
export type Refusal = "InvalidCheck" | "OAuthCallbackError" | "Configuration"

/** The callback redirects to a page with this error, creates no session and no row, and logs an error. */
export async function expectRefused({ browser, adapter, log }: App, refusal: Refusal): Promise<void> {
  const { pathname, searchParams } = new URL(browser.location)
  const page = refusal === "OAuthCallbackError" ? "/auth/signin" : "/auth/error"
  expect([pathname, outcome(browser)]).toEqual([page, refusal])
  if (refusal === "InvalidCheck") expect(searchParams.get("error")).toBe("Configuration")
  expect(browser.trail[0]?.status).toBe(302)
  expect(browser.trail.every(({ status }) => status < 500)).toBe(refusal !== "Configuration")
  expect(await browser.session()).toBeNull()
  expect(browser.cookies.filter(({ name }) => name.includes("session-token"))).toEqual([])
  const { users, accounts, sessions } = adapter.rows()
  expect([users, accounts, sessions]).toEqual([[], [], []])
  expect(log.entries.some(({ level }) => level === "error")).toBe(true)
}

/** The text of the page, the URLs and the headers that the user can see, without cookies. */
export function shown({ trail, text, location }: Browser): string {
  return [...trail.flatMap(({ headers }) => [...headers.entries()].map((entry) => entry.join(": "))), text, location]
    .join("\n")
    .replaceAll(/set-cookie: .*/g, "")
}

/** A plain OAuth 2 provider without its own `profile()`. */
export function withoutProfile(op: FakeProvider): ReturnType<FakeProvider["oauthProvider"]> {
  const { profile: _, ...bare } = op.oauthProvider()
  return bare
}

/** Changes fields of the token response. */
export function tokens(change: Answer["body"]): Fault {
  return { token: (answer) => ({ ...answer, body: { ...answer.body, ...change } }) }
}

/** Changes fields of the metadata. */
export function metadata(change: Answer["body"]): Fault {
  return { discovery: (answer) => ({ ...answer, body: { ...answer.body, ...change } }) }
}

/** Changes the parameters of the callback. `undefined` removes one. */
export function returning(change: Readonly<Record<string, string | undefined>>): Fault {
  return {
    authorize: (params) =>
      Object.fromEntries(
        Object.entries({ ...params, ...change }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        ),
      ),
  }
}

/** A code of the attacker's own sign-in, in their own browser. */
export async function attackersCode(browser: Browser, op: FakeProvider, provider = op.id): Promise<string> {
  const answer = await answerOf(op, await begin(browser.fresh(), provider), "grace")
  return new URL(answer).searchParams.get("code") ?? ""
}

/** Another browser with a copy of the cookies. */
export function stolen(from: Browser): Browser {
  const thief = from.fresh()
  for (const cookie of from.cookies) thief.jar.put(cookie)
  return thief
}

interface LazyOptions {
  readonly origin?: string
  readonly clock?: FrozenClock
}

/** A browser at an application that creates its configuration for each request. */
export function visitLazily(configFor: (request: Request) => AuthConfig, options: LazyOptions = {}): Browser {
  const { origin = "https://app.test", clock } = options
  return openBrowser({
    origin,
    ...(clock === undefined ? {} : { clock }),
    handle: (request) =>
      new URL(request.url).pathname.startsWith("/auth/") ? Auth(request, configFor(request)) : new Response("app"),
  })
}
