import type { Browser } from "@latchkey/testing"
import { type Authenticator, createAuthenticator } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { emailOf, withoutTransactions } from "../flows/signin/setup.js"
import { errorOf, faults, faulty, hasSession, stores, type Store } from "./faults-setup.js"
import { ada, passkeySite, type PasskeySite, signUpAllowed } from "./webauthn-setup.js"

interface World extends PasskeySite, Pick<ReturnType<typeof faulty>, "arm" | "hit" | "calls"> {
  readonly authenticator: Authenticator
}

interface Flow {
  readonly before?: (its: World) => Promise<unknown>
  readonly run: (its: World, tab: Browser) => Promise<unknown>
}

const fields = { email: ada }

const flows: Record<string, Flow> = {
  "a sign-up with a passkey": {
    run: ({ authenticator }, tab) => tab.registerPasskey(authenticator, { fields }),
  },
  "a sign-in with a passkey": {
    before: ({ browser, authenticator }) => browser.fresh().registerPasskey(authenticator, { fields }),
    run: ({ authenticator }, tab) => tab.signInWithPasskey(authenticator),
  },
  "adding a passkey": {
    before: async ({ browser, op }) => browser.signInWith(op, { as: "ada" }),
    run: ({ authenticator }, tab) => tab.registerPasskey(authenticator),
  },
}

async function worldOf(mode: Mode, kind: Store, flow: Flow): Promise<World> {
  const armed: { broken?: ReturnType<typeof faulty> } = {}
  const its = await passkeySite(mode, {
    security: signUpAllowed,
    rest: { session: { strategy: "database" } },
    adapter: (store) => {
      armed.broken = faulty(kind === "with transactions" ? store : withoutTransactions(store))
      return armed.broken.adapter
    },
  })
  if (armed.broken === undefined) throw new Error("There is no adapter.")
  const { arm, hit, calls } = armed.broken
  const world = { ...its, arm, hit, calls, authenticator: createAuthenticator() }
  await flow.before?.(world)
  calls.length = 0
  return world
}

/** Rows that refer to missing ones, and users who can't sign in. */
function halfDone({ store }: World): readonly unknown[] {
  const { users, accounts, authenticators, sessions } = store.rows()
  return [
    ...[...accounts, ...authenticators, ...sessions].filter(({ userId }) => !users.some(({ id }) => id === userId)),
    ...users.filter(({ id }) => !accounts.some(({ userId }) => userId === id)),
    ...accounts.filter(
      ({ provider, providerAccountId }) =>
        provider === "passkey" && !authenticators.some(({ credentialID }) => credentialID === providerAccountId),
    ),
    ...authenticators.filter(
      ({ credentialID }) => !accounts.some(({ providerAccountId }) => providerAccountId === credentialID),
    ),
  ]
}

/** An authenticator doesn't register twice for one user, so the user signs in if the passkey was stored after all. */
async function retry(flow: Flow, its: World): Promise<void> {
  if (its.store.rows().authenticators.length > 0) await its.browser.signInWithPasskey(its.authenticator)
  else await flow.run(its, its.browser)
}

for (const [name, flow] of Object.entries(flows)) {
  for (const fault of faults) {
    const id = name === "a sign-up with a passkey" || name === "adding a passkey" ? "WAN-11" : "FAULT-02"
    attack(
      id,
      `${name} in which one adapter call ${fault} leaves nothing half done, and a retry succeeds`,
      async (mode) => {
        for (const kind of stores) {
          const dry = await worldOf(mode, kind, flow)
          await flow.run(dry, dry.browser)
          const methods = new Set(dry.calls)
          expect(methods.size).toBeGreaterThan(3)
          for (const method of methods) {
            const what = `${kind}: ${method}`
            const its = await worldOf(mode, kind, flow)
            const before = its.store.rows().authenticators.length
            const signedInBefore = hasSession(its.browser)
            its.arm(method, fault)
            // A browser shows the error of the options endpoint in the page.
            await flow.run(its, its.browser).catch(() => undefined)
            expect([what, its.hit()]).toEqual([what, true])
            expect([what, halfDone(its)]).toEqual([what, []])
            const failed = its.store.rows().authenticators.length === before && errorOf(its.browser) !== null
            if (failed) {
              expect([what, hasSession(its.browser)]).toEqual([what, signedInBefore])
              expect([what, its.log.entries.some(({ level }) => level === "error")]).toEqual([what, true])
            }
            await retry(flow, its)
            const { users, authenticators } = its.store.rows()
            expect([what, await emailOf(its.browser), halfDone(its)]).toEqual([what, ada, []])
            expect([what, users.length, authenticators.length]).toEqual([what, 1, 1])
          }
        }
      },
    )
  }
}
