import { customFetch } from "@latchkey/core"
import { createProvider, type FakeProvider, frozenClock, type FrozenClock } from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { answerOf, openAtProvider } from "./at-provider.js"
import {
  type App,
  begin,
  expectAccepted,
  expectRejected,
  home,
  openApp,
  type ResponseMode,
  responseModes,
} from "./app.js"
import { type Situation, situations } from "./situations.js"
import { type Outcome, requests, runCases } from "./names.js"

/** How Latchkey reaches the provider: over local HTTP or through `customFetch`. */
type Transport = "loopback HTTP" | "customFetch"

const ways = (["loopback HTTP", "customFetch"] as const).flatMap((transport) =>
  responseModes.flatMap((responseMode) =>
    (["strict", "compatible"] as const).map((security) => ({ transport, responseMode, security })),
  ),
)

interface World extends App {
  readonly op: FakeProvider
  readonly clock: FrozenClock
  /** Signs in as Ada in this browser. */
  signIn(): Promise<void>
}

interface Way {
  readonly transport: Transport
  readonly responseMode: ResponseMode
  readonly security: "strict" | "compatible"
}

/** The profile comes from userinfo, so that a sign-in makes every kind of request. */
async function world({ transport, responseMode, security }: Way, { op: options, provider }: Situation): Promise<World> {
  const clock = frozenClock(Date.now())
  const op = createProvider({ ...options, clock })
  const isReal = transport === "loopback HTTP"
  if (isReal) {
    const server = await op.listen()
    onTestFinished(() => server.close())
  }
  const { authorization, ...more } = provider ?? {}
  const own = typeof authorization === "object" ? authorization.params : {}
  const entry = op.provider({
    idToken: false,
    ...more,
    authorization: { params: { scope: "openid profile email", response_mode: responseMode, ...own } },
    ...(isReal ? { [customFetch]: undefined } : {}),
  })
  const app = await openApp(entry, security, clock)
  return {
    ...app,
    op,
    clock,
    signIn: () =>
      isReal ? signInOverHttp(app, responseMode) : app.browser.signInWith(op, { as: "ada" }).then(() => undefined),
  }
}

/** Signs in with real requests to the pages of the provider. */
async function signInOverHttp({ browser }: App, responseMode: ResponseMode): Promise<void> {
  const address = await begin(browser)
  if (new URL(address).origin === home) return
  const atProvider = openAtProvider(home)
  expect(await atProvider.open(address)).toMatchObject({ status: 200 })
  const answer = answerOf(await atProvider.open(address, { method: "POST", form: { as: "ada" } }))
  expect(answer.method).toBe(responseMode === "query" ? "GET" : "POST")
  await browser.follow(answer, new URL(address).origin)
}

function made(op: FakeProvider): readonly number[] {
  return requests.map((kind) => (kind === "authorization" ? op.authorizations.length : op.requestsTo(kind).length))
}

/** Expects the last request of the outcome, and no later one. */
function expectStopped(op: FakeProvider, outcome: Exclude<Outcome, "accepted">): void {
  const last = requests.findIndex((kind) => outcome === `rejected after ${kind}`)
  const counts = made(op)
  expect(counts[last]).toBeGreaterThan(0)
  expect(counts.slice(last + 1)).toEqual(counts.slice(last + 1).map(() => 0))
}

const ada = { sub: "ada", name: "Ada Lovelace" }

async function play(its: World, situation: Situation, outcome: Outcome): Promise<void> {
  const { op, browser, clock } = its
  if (situation.signedInBefore === true) {
    await its.signIn()
    await expectAccepted(its, ada)
    await browser.signOut()
  }
  const fault = await situation.begin?.(op)
  const undo = fault === undefined ? undefined : op.inject(fault)
  await its.signIn()
  situation.check?.(op)
  if (outcome === "accepted") return await expectAccepted(its, ada)
  expectStopped(op, outcome)
  await expectRejected(its)
  expect(its.log.entries.some(({ text }) => text.includes(situation.logged ?? ""))).toBe(true)
  if (undo === undefined) return
  // Without the fault the sign-in succeeds, so the fault was the reason for the rejection.
  undo()
  clock.advance({ minutes: 1 })
  await its.signIn()
  expect(browser.location).toBe(`${home}/`)
}

describe.each(ways)("over $transport, response mode $responseMode, security $security", (way) => {
  for (const { name, outcome } of runCases) {
    test(`${name} is ${outcome}`, async () => {
      const situation: Situation = situations[name]
      await play(await world(way, situation), situation, outcome)
    })
  }
})
