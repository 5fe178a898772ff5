import { arrive, complete, enroll, expectSignedIn, isHeld, type Person, works } from "./person.js"
import { type Interruption, interruptions } from "./interruptions.js"
import { fail, type ModuleCase } from "./subject.js"
import { errorsOf, type Site } from "./site.js"

export const failedWrites: ModuleCase = {
  id: "module.failed-writes",
  name: "after a write that failed, the user can go on",
  async run(subject) {
    for await (const interrupted of interruptions(subject)) {
      const before = errorsOf(interrupted.site).length
      try {
        await goOn(interrupted)
      } catch (cause) {
        fail(`The user can go on (${interrupted.what})`, String(cause), cause)
      }
      const [error] = errorsOf(interrupted.site).slice(before)
      if (error !== undefined) fail(`The module doesn't fail anymore (${interrupted.what})`, error)
    }
  },
}

async function goOn(interrupted: Interruption): Promise<void> {
  const { site, step, person, error } = interrupted
  if (step === "revoke") return expectRevoked(site, person)
  const enrolled = step === "enroll" ? await enrolledAfter(site, person, error) : person
  if ((await works(site, enrolled)) === false) fail("What the module confirmed is stored", "nothing")
  await expectSignedIn("A sign-in succeeds", await complete(site, enrolled))
}

/** Signing in doesn't fail, and the user tries again. If the module says no, the application takes back what is half done. */
async function enrolledAfter(site: Site, { user, browser, ...enrolled }: Person, error: unknown): Promise<Person> {
  if (error === undefined) return { user, browser, ...enrolled }
  await arrive(site, user)
  try {
    return await enroll(site, user, browser)
  } catch {
    await site.server.revoke(user.id, site.subject.revokeReason)
    const again = await arrive(site, user)
    if (isHeld(again)) fail("`revoke` takes back what is half done", "a sign-in that is held")
    return enroll(site, user, again)
  }
}

async function expectRevoked(site: Site, person: Person): Promise<void> {
  await site.server.revoke(person.user.id, site.subject.revokeReason)
  if ((await works(site, person)) === true) fail("A second `revoke` ends what is left", "something that works")
}
