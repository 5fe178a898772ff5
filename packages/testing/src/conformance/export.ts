import { complete, createUser, expectSignedIn, newPerson } from "./person.js"
import { findSecret } from "./secrets.js"
import { fail, type ModuleCase } from "./subject.js"
import { siteOf, storedOf } from "./site.js"

export const exports: ModuleCase = {
  id: "module.export",
  name: "`export` returns what is kept about a user, without secrets and without others",
  async run(subject) {
    const site = await siteOf(subject)
    const owned = Object.entries(site.module.records ?? {}).find(([, { fields }]) =>
      Object.values(fields).some(({ kind }) => kind === "owner"),
    )
    if (owned !== undefined && site.parts.export === undefined)
      fail("A module whose records have an `owner()` has `export`", `none, with the record ${owned[0]}`)
    const [ada, grace] = [await newPerson(site), await newPerson(site)]
    await expectSignedIn("A sign-in succeeds", await complete(site, ada))
    const owns = (await storedOf(site)).some(({ owner }) => owner === ada.user.id)
    const exported = await exportOf(ada.user.id)
    const nothing = await exportOf((await createUser(site)).id)
    if (owns && exported === nothing) fail("`export` returns what the records of the user say", exported)
    if (findSecret(exported, site.secrets) !== undefined) fail("`export` returns no secret", "one")
    for (const other of [grace.user.id, grace.user.email])
      if (exported.includes(other)) fail("`export` returns nothing of other users", other)

    async function exportOf(userId: string): Promise<string> {
      return JSON.stringify((await site.server.export(userId)).modules[site.module.id]) ?? "nothing"
    }
  },
}
