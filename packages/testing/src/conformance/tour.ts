import type { Browser } from "../browser/model.js"
import { answerOf, arrive, complete, expectSignedIn, isHeld, newPerson, type Person } from "./person.js"
import type { ModuleSubject } from "./subject.js"
import { type Site, siteOf } from "./site.js"

export interface Tour {
  readonly site: Site
  readonly person: Person
  /** The user is signed in, and at the account page. */
  readonly browser: Browser
}

/** A user sees every page of the module that has no form of its own: sets it up, is asked, types a wrong and a right answer. */
export async function tour(subject: ModuleSubject, headers: Readonly<Record<string, string>> = {}): Promise<Tour> {
  const site = await siteOf(subject, { headers })
  const person = await newPerson(site)
  site.clock.advance({ minutes: 1 })
  const mistaken = await arrive(site, person.user)
  if (isHeld(mistaken)) await answerWrongly(site, person, mistaken)
  const browser = await complete(site, person)
  await expectSignedIn("A sign-in succeeds", browser)
  await browser.get("/auth/account")
  return { site, person, browser }
}

async function answerWrongly(site: Site, person: Person, browser: Browser): Promise<void> {
  const names = Object.keys(await answerOf(site, person))
  const wrong = `wrong${crypto.randomUUID().replaceAll("-", "")}`
  site.secrets.add(wrong)
  await browser.submitForm("auth/factor", Object.fromEntries(names.map((name) => [name, wrong])))
}
