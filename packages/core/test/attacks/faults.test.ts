import type { Browser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { whoIs } from "../modes/setup.js"
import {
  errorOf,
  faults,
  type Fault,
  faultySite,
  flowCookies,
  halfCreated,
  hasSession,
  type Site,
  type Store,
  stores,
} from "./faults-setup.js"

interface Flow {
  readonly before?: (site: Site) => Promise<unknown>
  readonly run: (site: Site, browser: Browser) => Promise<unknown>
  /** The email in the session at the end. */
  readonly who: string
  readonly accounts: number
}

const ada = "ada@example.test"
const link = { as: "grace", fields: { link: "true" } } as const

const flows: Record<string, Flow> = {
  "a first sign-in": { run: async ({ its }, tab) => tab.signInWith(its.op, { as: "ada" }), who: ada, accounts: 1 },
  "a later sign-in": {
    before: async ({ its, browser }) => browser.fresh().signInWith(its.op, { as: "ada" }),
    run: async ({ its }, tab) => tab.signInWith(its.op, { as: "ada" }),
    who: ada,
    accounts: 1,
  },
  "linking an account": {
    before: async ({ its, browser }) => browser.signInWith(its.op, { as: "ada" }),
    run: async ({ its }, tab) => tab.signInWith(its.other, link),
    who: ada,
    accounts: 2,
  },
  "a first sign-in by email": { run: signInByMail, who: ada, accounts: 0 },
  "a later sign-in by email": {
    before: async ({ store }) => store.createUser({ id: "u1", email: ada, emailVerified: new Date(0) }),
    run: signInByMail,
    who: ada,
    accounts: 0,
  },
}

async function signInByMail({ mail }: Site, tab: Browser): Promise<void> {
  const sent = mail.links.length
  await tab.signIn("mail", { email: ada })
  const address = mail.links[sent]
  if (address !== undefined) await tab.get(address)
}

async function prepared(mode: Mode, kind: Store, flow: Flow): Promise<Site> {
  const site = await faultySite(mode, kind)
  // Unverified emails, so `halfCreated` can tell an orphan from a user of an email link.
  for (const op of [site.its.op, site.its.other])
    for (const person of Object.values(op.people)) person.email_verified = false
  await flow.before?.(site)
  site.calls.length = 0
  return site
}

async function expectWhole(site: Site, flow: Flow, what: string, armed: () => void) {
  const { browser, store, log } = site
  const signedInBefore = hasSession(browser)
  armed()
  await flow.run(site, browser)
  expect([what, site.hit()]).toEqual([what, true])
  expect([what, halfCreated(store), flowCookies(browser)]).toEqual([what, [], []])
  const error = errorOf(browser)
  if (error !== null) {
    expect(log.entries.some(({ level }) => level === "error")).toBe(true)
    expect([what, hasSession(browser)]).toEqual([what, signedInBefore])
  } else expect([what, await whoIs(browser)]).toEqual([what, flow.who])
  await flow.run(site, browser)
  expect([what, await whoIs(browser), errorOf(browser)]).toEqual([what, flow.who, null])
  const { users, accounts } = store.rows()
  expect([what, users.length, accounts.length, halfCreated(store)]).toEqual([what, 1, flow.accounts, []])
  return error
}

/** A sign-in goes on if they fail. */
const optional = [
  "deleteSession",
  "describeSession",
  "updateAccount",
  "getVerificationToken",
  "deleteVerificationTokens",
]

const id = (flow: string, fault: Fault) =>
  flow === "a first sign-in" && fault !== "returns undefined" ? "FAULT-01" : "FAULT-02"

for (const [name, flow] of Object.entries(flows)) {
  for (const fault of faults) {
    attack(
      id(name, fault),
      `${name} in which one adapter call ${fault} leaves nothing half done, and a retry succeeds`,
      async (mode) => {
        for (const kind of stores) {
          const dry = await prepared(mode, kind, flow)
          await flow.run(dry, dry.browser)
          const methods = new Set(dry.calls)
          // If the adapter returns no session, the flow is a new sign-in instead of linking.
          if (fault === "returns undefined") methods.delete("getSessionAndUser")
          expect(methods.size).toBeGreaterThan(3)
          for (const method of methods) {
            const site = await prepared(mode, kind, flow)
            const error = await expectWhole(site, flow, `${kind}: ${method}`, () => site.arm(method, fault))
            const isNeeded = !optional.includes(method)
            if (isNeeded && (fault === "throws" || fault === "rejects"))
              expect([method, error]).not.toEqual([method, null])
          }
        }
      },
    )
  }
}
