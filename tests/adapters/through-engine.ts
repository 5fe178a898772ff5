import { Auth, type AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, createProvider, type FakeProvider, openBrowser, type Person } from "@latchkey/testing"
import { lastOf, mailer, secret, sessionToken } from "../interop/applications.js"

/** What users experience who sign in through Latchkey with this adapter. Each result is `true` if it's as it should be. */
export const experiences = {
  "20 parallel first sign-ins make one user": (adapter: Adapter) => firstSignIns([adapter]),
  "20 parallel uses of an email link make one session": (adapter: Adapter) => linkUses([adapter]),
  "20 parallel email sign-ups make one user": (adapter: Adapter) => emailSignUps([adapter]),
  "two users who link one account in parallel don't share it": (adapter: Adapter) => parallelLinks(adapter),
  "20 parallel first sign-ins with one account but different emails make one user": (adapter: Adapter) =>
    changedEmails(adapter),
  "parallel sign-outs succeed": (adapter: Adapter) => signOuts(adapter),
  "an unknown session is no error": (adapter: Adapter) => unknownSession(adapter),
  "the session of a deleted user ends": (adapter: Adapter) => deletedUser(adapter),
  "two processes: 20 parallel first sign-ins make one user": (adapter: Adapter) => firstSignIns(twice(adapter)),
  "two processes: 20 parallel uses of an email link make one session": (adapter: Adapter) => linkUses(twice(adapter)),
} satisfies Record<string, (adapter: Adapter) => Promise<boolean>>

export type Experience = keyof typeof experiences

/** A second process has another adapter object over the same rows. */
function twice(adapter: Adapter): Adapter[] {
  return [adapter, Object.create(adapter) as Adapter]
}

interface Site {
  /** Opens a tab at one of the processes. Without a jar, it's a new browser. */
  tab(index: number, jar?: Browser["jar"]): Browser
  readonly op: FakeProvider
  readonly other: FakeProvider
  readonly links: readonly string[]
}

/** One application with one process for each adapter. Their memory is separate, because their clocks are. */
function siteOf(adapters: readonly Adapter[], people: Readonly<Record<string, Person>> = {}): Site {
  const id = crypto.randomUUID()
  const op = createProvider({ people })
  const other = createProvider({ id: "other", issuer: "https://other.test", people })
  const { provider: mail, links } = mailer()
  const configs = adapters.map(
    (adapter): AuthConfig => ({
      adapter,
      secret: `${secret}${id}`,
      trustHost: true,
      logger: { error: () => {}, warn: () => {}, debug: () => {} },
      session: { strategy: "database" },
      runtime: { now: () => Date.now() },
      rateLimit: false,
      providers: [op.provider(), other.provider(), mail],
      callbacks: { session: ({ session, user }) => ({ ...session, id: idText(user.id) }) },
    }),
  )
  const tab: Site["tab"] = (index, jar) => {
    const config = configs[index % configs.length]
    if (config === undefined) throw new Error("The site has no process")
    const isRoute = (url: string) => new URL(url).pathname.startsWith("/auth")
    const handle = async (request: Request) =>
      isRoute(request.url) ? await Auth(request, config) : new Response("app")
    return openBrowser({ origin: "https://app.test", ...(jar && { jar }), handle })
  }
  return { tab, op, other, links }
}

async function firstSignIns(adapters: readonly Adapter[]): Promise<boolean> {
  const { tab, op } = siteOf(adapters, { someone: aPerson() })
  const tabs = Array.from({ length: 20 }, (_, index) => tab(index))
  await Promise.all(tabs.map((each) => each.signInWith(op, { as: "someone" })))
  // A second process may refuse a sign-in whose user the first one is about to store.
  return haveOneUser(adapters.length > 1 ? tabs.filter(isSignedIn) : tabs)
}

async function changedEmails(adapter: Adapter): Promise<boolean> {
  const person = aPerson()
  const names = Array.from({ length: 20 }, (_, index) => `name${index}`)
  const people = Object.fromEntries(names.map((name) => [name, { ...person, email: `${name}.${person.email}` }]))
  const { tab, op } = siteOf([adapter], people)
  const tabs = names.map((_, index) => tab(index))
  await Promise.all(names.map((name, index) => tabs[index]?.signInWith(op, { as: name })))
  return haveOneUser(tabs)
}

async function linkUses(adapters: readonly Adapter[]): Promise<boolean> {
  const { tab, links } = siteOf(adapters)
  const { email = "" } = aPerson()
  const first = tab(0)
  await first.signIn("mail", { email })
  const tabs = Array.from({ length: 20 }, (_, index) => tab(index, first.jar))
  await Promise.all(tabs.map((each) => each.get(lastOf(links))))
  return tabs.filter(isSignedIn).length === 1
}

async function emailSignUps(adapters: readonly Adapter[]): Promise<boolean> {
  const { tab, links } = siteOf(adapters)
  const { email = "" } = aPerson()
  const tabs = Array.from({ length: 20 }, (_, index) => tab(index))
  const sent: string[] = []
  for (const each of tabs) {
    await each.signIn("mail", { email })
    sent.push(lastOf(links))
  }
  await Promise.all(tabs.map((each, index) => each.get(sent[index] ?? "")))
  return haveOneUser(tabs.filter(isSignedIn))
}

async function parallelLinks(adapter: Adapter): Promise<boolean> {
  const { tab, op, other } = siteOf([adapter], { first: aPerson(), second: aPerson(), shared: aPerson() })
  const owners = [tab(0), tab(0)]
  await Promise.all(["first", "second"].map((as, index) => owners[index]?.signInWith(op, { as })))
  const ids = await Promise.all(owners.map(idOf))
  const tabs = Array.from({ length: 10 }, (_, index) => tab(index, owners[index % 2]?.jar))
  await Promise.all(tabs.map((each) => each.signInWith(other, { as: "shared" })))
  const refused = tabs.filter(({ location }) => location.includes("error=OAuthAccountNotLinked"))
  const later = tab(0)
  await later.signInWith(other, { as: "shared" })
  const owner = await idOf(later)
  return refused.length === 5 && ids.includes(owner) && (await idOf(owners[0] ?? later)) === ids[0]
}

async function signOuts(adapter: Adapter): Promise<boolean> {
  const { tab, op } = siteOf([adapter], { someone: aPerson() })
  const first = tab(0)
  await first.signInWith(op, { as: "someone" })
  const tabs = Array.from({ length: 5 }, () => tab(0, first.jar))
  for (const each of tabs) await each.get("/auth/signout")
  await Promise.all(tabs.map((each) => each.submitForm("signout")))
  return tabs.every(({ location }) => !location.includes("error")) && (await first.session()) === null
}

async function unknownSession(adapter: Adapter): Promise<boolean> {
  const { tab, op } = siteOf([adapter], { someone: aPerson() })
  const browser = tab(0)
  await browser.signInWith(op, { as: "someone" })
  const token = sessionToken(browser) ?? ""
  await adapter.deleteSession?.(token)
  const response = await browser.fetch("/auth/session")
  return response.status === 200 && (await response.json()) === null
}

async function deletedUser(adapter: Adapter): Promise<boolean> {
  const { tab, op } = siteOf([adapter], { someone: aPerson() })
  const browser = tab(0)
  await browser.signInWith(op, { as: "someone" })
  const found = await adapter.getSessionAndUser?.(sessionToken(browser) ?? "")
  await adapter.deleteUser?.(found?.user.id ?? "")
  const response = await browser.fetch("/auth/session")
  return response.status === 200 && (await response.json()) === null
}

function aPerson(): Person {
  const id = crypto.randomUUID()
  return { sub: id, email: `${id}@example.test`, name: "Ada" }
}

async function haveOneUser(tabs: readonly Browser[]): Promise<boolean> {
  const ids = new Set(await Promise.all(tabs.map(idOf)))
  return ids.size === 1 && !ids.has(undefined)
}

async function idOf(browser: Browser): Promise<unknown> {
  return Object(await browser.session()).id
}

/** Some adapters have numbers as ids, despite their types. */
function idText(id: unknown): string {
  return String(id)
}

function isSignedIn({ trail }: Browser): boolean {
  return trail.some(({ headers }) => headers.getSetCookie().some((line) => /session-token=[^;]/.test(line)))
}
