import { isDeepStrictEqual } from "node:util"
import { createUser, expectSignedIn, complete, newPerson, type Person, works } from "./person.js"
import { fail, type ModuleCase } from "./subject.js"
import { type Site, siteOf, storedOf } from "./site.js"

/** How something of the module ends. */
export const ends: readonly ModuleCase[] = [
  {
    id: "module.revoke",
    name: "`revoke` ends what the module issued to a user, and nothing of others",
    async run(subject) {
      const site = await siteOf(subject)
      if (site.parts.revoke === undefined)
        fail("The module has `revoke`, with nothing in it if sessions are all that it issues", "none")
      const [ada, grace] = [await newPerson(site), await newPerson(site)]
      const graces = await recordsOf(site, grace)
      if ((await works(site, ada)) === false) fail("What the module issues works", "nothing that works")
      await site.server.revoke(ada.user.id, subject.revokeReason)
      if ((await works(site, ada)) === true) fail("`revoke` ends what the module issued", "something that works")
      if (!isDeepStrictEqual(await recordsOf(site, grace), graces))
        fail("`revoke` keeps the records of other users", "others")
      if ((await works(site, grace)) === false) fail("`revoke` keeps what works for other users", "nothing that works")
      await site.server.revoke(ada.user.id, subject.revokeReason)
      await site.server.revoke((await createUser(site)).id, subject.revokeReason)
    },
  },
  {
    id: "module.disable",
    name: "what the module issued to a user doesn't work once the user is disabled, and that of others does",
    async run(subject) {
      const site = await siteOf(subject)
      const [ada, grace] = [await newPerson(site), await newPerson(site)]
      await site.server.disable(ada.user.id, subject.revokeReason)
      if ((await works(site, ada)) === true) fail("`disable` ends what the module issued", "something that works")
      if ((await works(site, grace)) === false) fail("`disable` keeps what works for other users", "nothing that works")
    },
  },
  {
    id: "module.delete",
    name: "`deleteUser` leaves nothing of the user, and everything of others",
    async run(subject) {
      const site = await siteOf(subject)
      const [ada, grace] = [await newPerson(site), await newPerson(site)]
      await expectSignedIn("A sign-in succeeds", await complete(site, ada))
      const graces = await recordsOf(site, grace)
      await site.adapter.deleteUser?.(ada.user.id)
      const [left] = await recordsOf(site, ada)
      if (left !== undefined)
        fail("`deleteUser` leaves no record of the user, because they have an `owner()`", left.kind)
      if (!isDeepStrictEqual(await recordsOf(site, grace), graces))
        fail("`deleteUser` keeps the records of other users", "others")
    },
  },
]

/** The records that a user owns, or that name them. */
async function recordsOf(site: Site, { user: { id, email } }: Person) {
  const all = await storedOf(site)
  return all.filter((record) => [id, email].some((name) => JSON.stringify(record).includes(name)))
}
