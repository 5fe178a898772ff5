import { whoIs } from "../../packages/core/test/modes/setup.js"
import { maxAge, password, type Setting, sessionCookie, type Site } from "./site.js"

/** One step of a sign-in, in which a fault will happen. */
export interface Step {
  /** What happens before it, without a fault. */
  readonly before?: (site: Site) => Promise<unknown>
  readonly run: (site: Site) => Promise<unknown>
  /** What the user does after the fault. Default: the same step again. */
  readonly retry?: (site: Site) => Promise<unknown>
  /** The user of the session in the end. */
  readonly who: string | null
  readonly users: number
  readonly accounts: number | ((setting: Setting) => number)
  readonly where?: (setting: Setting) => boolean
}

export const ada = "ada@example.test"

const once = { who: ada, users: 1, accounts: 1 }
const signUp = ({ op, browser }: Site) => browser.signInWith(op, { as: "ada" })
const elsewhere = ({ op, browser }: Site) => browser.fresh().signInWith(op, { as: "ada" })
const ask = ({ browser }: Site) => browser.signIn("mail", { email: ada })
const open = ({ browser, links }: Site) => browser.get(links.at(-1) ?? "/")
const typed = { email: ada, password }
const known = async ({ store }: Site) => store.createUser?.({ id: "known", email: ada, emailVerified: null })
const proven = async ({ store }: Site) => store.createUser?.({ id: "proven", email: ada, emailVerified: new Date(0) })

async function later(site: Site): Promise<void> {
  await signUp(site)
  site.clock.advance({ seconds: maxAge / 2 })
}

/** A user who was signed in despite the fault has nothing to do again: the link would say that it was used. */
async function openOrAskAgain(site: Site): Promise<void> {
  if ((await whoIs(site.browser)) === ada) return
  await open(site)
  if ((await whoIs(site.browser)) === ada) return
  await ask(site)
  await open(site)
}

async function askAndOpen(site: Site): Promise<void> {
  await ask(site)
  await open(site)
}

async function update({ browser }: Site): Promise<void> {
  const csrfToken = (await browser.csrf()) ?? ""
  const body = new URLSearchParams({ csrfToken, data: "more" })
  await browser.fetch("/auth/session", { method: "POST", body })
}

const isStored = ({ strategy }: Setting) => strategy === "database"

export const steps: Readonly<Record<string, Step>> = {
  "a sign-up with a provider": { ...once, run: signUp },
  "a return with a provider": { ...once, before: elsewhere, run: signUp },
  "a sign-in in place of another": { ...once, before: signUp, run: signUp },
  "a link while signed in": {
    ...once,
    accounts: 2,
    before: signUp,
    run: ({ other, browser }) => browser.signInWith(other, { as: "grace", fields: { link: "true" } }),
  },
  "the request of a link by a new user": { ...once, accounts: 0, run: ask, retry: askAndOpen },
  "the request of a link by a known user": {
    ...once,
    accounts: 0,
    before: proven,
    run: ask,
    retry: askAndOpen,
  },
  "the opening of a link by a new user": { ...once, accounts: 0, before: ask, run: open, retry: openOrAskAgain },
  "the opening of a link by a user who has proved the mailbox before": {
    ...once,
    accounts: 0,
    before: async (site) => {
      await proven(site)
      await ask(site)
    },
    run: open,
    retry: openOrAskAgain,
  },
  "the first proof of a mailbox that another user registered": {
    ...once,
    // In strict mode the user who registered it first loses the account.
    accounts: ({ mode }) => (mode === "strict" ? 0 : 1),
    before: async (site) => {
      await elsewhere(site)
      await ask(site)
    },
    run: open,
    retry: openOrAskAgain,
  },
  "a sign-in with credentials": {
    ...once,
    accounts: 0,
    before: known,
    run: ({ browser }) => browser.signIn("password", typed),
  },
  "a read of the session": { ...once, before: signUp, run: ({ browser }) => browser.session() },
  "a renewal of the session": { ...once, before: later, run: ({ browser }) => browser.session() },
  "a read of an expired session": {
    ...once,
    before: async (site) => {
      await signUp(site)
      // The browser keeps the cookie past its expiry, as a copied cookie would be.
      const kept = site.browser.cookies.map((cookie) => ({ ...cookie, expires: undefined }))
      site.clock.advance({ seconds: maxAge + 600 })
      for (const cookie of kept) site.browser.jar.put(cookie)
    },
    run: ({ browser }) => browser.session(),
    retry: signUp,
    where: isStored,
  },
  "an update of the session": { ...once, before: later, run: update },
  "a sign-out": { ...once, who: null, before: signUp, run: ({ browser }) => browser.signOut() },
}

export function stepsIn(setting: Setting): readonly (readonly [name: string, step: Step])[] {
  return Object.entries(steps).filter(([, { where }]) => where?.(setting) ?? true)
}

/** Opens each link in two new browsers, and counts how often it signs in. */
export async function uses({ browser, links }: Site): Promise<readonly number[]> {
  const counts: number[] = []
  for (const link of new Set(links)) {
    let count = 0
    for (const visitor of [browser.fresh(), browser.fresh()]) {
      await visitor.get(link)
      if (visitor.forms.length > 0 && visitor.text.includes("token")) await visitor.submitForm(0)
      if (sessionCookie(visitor) !== undefined) count++
    }
    counts.push(count)
  }
  return counts
}
