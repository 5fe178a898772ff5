import type { AdapterUser } from "@latchkey/core/adapters"
import type { Browser } from "../browser/model.js"
import { fail, type Enrolled } from "./subject.js"
import type { Site } from "./site.js"

/** A user who has set the module up. */
export interface Person extends Enrolled {
  readonly user: AdapterUser
  /** Where the user set it up. */
  readonly browser: Browser
}

export async function createUser({ adapter }: Site, id: string = crypto.randomUUID()): Promise<AdapterUser> {
  const email = `${crypto.randomUUID()}@users.test`
  const created = await adapter.createUser?.({ id, name: null, email, emailVerified: null })
  return created ?? fail("The adapter has the method createUser", "none")
}

/** A new user sets the module up. */
export async function newPerson(site: Site, user?: AdapterUser): Promise<Person> {
  const enrolling = user ?? (await createUser(site))
  return enroll(site, enrolling, await arrive(site, enrolling))
}

/** @throws what `enroll` of the author throws */
export async function enroll(site: Site, user: AdapterUser, browser: Browser): Promise<Person> {
  const { subject, server, clock } = site
  const enrolled = (await subject.enroll?.({ userId: user.id, browser, server, now: () => clock.now() })) ?? {}
  for (const secret of enrolled.secrets ?? []) site.secrets.add(secret)
  return { ...enrolled, user, browser }
}

/** Signs in, up to where the factor is asked. Before a change of the account, a user signs in for the account page. */
export async function arrive(site: Site, { id }: Pick<AdapterUser, "id">): Promise<Browser> {
  const browser = site.browse()
  await browser.signIn("credentials", { id, callbackUrl: "/auth/account" })
  return browser
}

export function isHeld({ location }: Browser): boolean {
  return new URL(location).pathname === "/auth/factor"
}

/** Signs in completely, a minute later, so that the next code of an app works. */
export async function complete(site: Site, person: Person): Promise<Browser> {
  site.clock.advance({ minutes: 1 })
  const browser = await arrive(site, person.user)
  if (isHeld(browser)) await browser.submitForm("auth/factor", await answerOf(site, person))
  return browser
}

export async function answerOf(site: Site, person: Person): Promise<Readonly<Record<string, string>>> {
  const answer = await person.answer?.()
  if (answer === undefined) fail("`enroll` returns `answer` if the module holds sign-ins", "none")
  for (const value of Object.values(answer)) site.secrets.add(value)
  return answer
}

export async function expectSignedIn(requirement: string, browser: Browser): Promise<void> {
  if ((await browser.session()) === null) fail(requirement, `no session at ${browser.location}`)
}

/** Whether what the module issued works. `undefined`: it issues nothing. */
export async function works(site: Site, { user, works: ask }: Person): Promise<boolean | undefined> {
  if (ask !== undefined) return ask()
  return site.parts.factor === undefined ? undefined : isHeld(await arrive(site, user))
}

/** What a user notices of the module, without the user's id and email, so that it can be compared. */
export async function viewOf(site: Site, user: AdapterUser, browser?: Browser): Promise<string> {
  const tab = browser ?? (await arrive(site, user))
  const { [site.module.id]: kept } = (await site.server.export(user.id)).modules
  const view = { ...(await outcomeOf(tab)), sections: await sectionsOf(site, tab), kept }
  return JSON.stringify(view).replaceAll(JSON.stringify(user.id).slice(1, -1), "<id>").replaceAll(user.email, "<email>")
}

/** Where the sign-in led, and the session. */
export async function outcomeOf(browser: Browser): Promise<{ readonly at: string; readonly session: unknown }> {
  const session = await browser.session()
  return { at: browser.location, session: isObject(session) ? { ...session, expires: "" } : session }
}

/** What the module adds to the account page, as JSON. */
export async function sectionsOf({ module }: Site, browser: Browser): Promise<readonly Section[]> {
  const step: unknown = await (await browser.fetch("/auth/account", { headers: json })).json()
  const sections = propertyOf(propertyOf(step, "overview"), "sections")
  return Array.isArray(sections) ? (sections as Section[]).filter(({ module: id }) => id === module.id) : []
}

export const json: Readonly<Record<string, string>> = { accept: "application/json" }

interface Section {
  readonly module: string
  readonly blocks: readonly {
    readonly kind: string
    readonly route?: string
    readonly fields?: object
    readonly values?: Readonly<Record<string, string>>
  }[]
}

export function propertyOf(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
