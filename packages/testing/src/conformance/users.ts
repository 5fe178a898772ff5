import type { AdapterUser } from "@latchkey/core/adapters"
import {
  answerOf,
  arrive,
  complete,
  createUser,
  isHeld,
  newPerson,
  type Person,
  sectionsOf,
  viewOf,
  works,
} from "./person.js"
import { fail, type ModuleCase } from "./subject.js"
import { type Site, siteOf, storedOf } from "./site.js"

/** Whom the module knows, and where. */
export const users: readonly ModuleCase[] = [
  {
    id: "module.users",
    name: "two users never share records, also with ids that look alike",
    async run(subject) {
      const site = await siteOf(subject)
      const stem = crypto.randomUUID()
      const untouched = await viewOf(site, await createUser(site))
      const people: Person[] = []
      for (const ending of ["a", "A", "a.b", "a:b", "á", "a "]) {
        const user = await createUser(site, `${stem}${ending}`)
        expectView(
          `The user "…${ending}" shares nothing with users of similar ids`,
          await viewOf(site, user),
          untouched,
        )
        people.push(await newPerson(site, user))
      }
      for (const person of people)
        if ((await works(site, person)) === false) fail("What one user sets up changes nothing of others", "a change")
      const pairs = people.map((person, index) => [person, people.at(index - 1) ?? person] as const)
      for (const [person, other] of pairs) await expectOwnAnswer(site, person, other)
      for (const [person, other] of pairs) await expectOwnForms(site, person, other)
    },
  },
  {
    id: "module.processes",
    name: "nothing is kept in the process: another one knows the same, and another application nothing",
    async run(subject) {
      const one = await siteOf(subject)
      const person = await newPerson(one)
      const here = await complete(one, person)
      const two = await one.another()
      const there = two.browse(here.jar)
      await Promise.all([here, there].map((browser) => browser.get("/auth/account")))
      const known = await viewOf(one, person.user, here)
      expectView("Another process knows what one was told", await viewOf(two, person.user, there), known)
      if (isHeld(await arrive(one, person.user)) !== isHeld(await arrive(two, person.user)))
        fail("Another process holds the same sign-ins", "others")
      const [other, empty] = [await siteOf(subject), await siteOf(subject)]
      const unknown = await viewOf(empty, await createUser(empty))
      const namesake: AdapterUser = await createUser(other, person.user.id)
      expectView("An application with another database knows nothing", await viewOf(other, namesake), unknown)
    },
  },
]

function expectView(requirement: string, actual: string, expected: string): void {
  if (actual !== expected) fail(`${requirement}: ${expected}`, actual)
}

async function expectOwnAnswer(site: Site, person: Person, other: Person): Promise<void> {
  const thief = await arrive(site, other.user)
  if (!isHeld(thief)) return
  site.clock.advance({ minutes: 1 })
  await thief.submitForm("auth/factor", await answerOf(site, person))
  if ((await thief.session()) !== null) fail("The answer of one user is no answer of another", "a session")
}

/** A form may name a record. Its name isn't a proof of who may change it. */
async function expectOwnForms(site: Site, person: Person, other: Person): Promise<void> {
  const before = await ownedBy(site, person)
  const csrfToken = (await other.browser.csrf()) ?? ""
  const blocks = (await sectionsOf(site, person.browser)).flatMap((section) => section.blocks)
  for (const { kind, route = "", values } of blocks)
    if (kind === "form") await other.browser.post(`/auth/${site.module.id}/${route}`, { ...values, csrfToken })
  if ((await ownedBy(site, person)) !== before)
    fail("The forms of one user change nothing of theirs if another user sends them", "a change")
}

async function ownedBy(site: Site, { user }: Person): Promise<string> {
  return JSON.stringify((await storedOf(site)).filter(({ owner }) => owner === user.id))
}
