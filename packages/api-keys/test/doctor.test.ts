import { expect, test } from "vitest"
import { siteOf } from "./site.js"

const reported = async (...[options]: Parameters<typeof siteOf>) =>
  (await (await siteOf(options)).server.moduleFindings()).map(({ finding }) => finding)

test("`latchkey doctor` reports nothing if there's nothing to do", async () => {
  expect(await reported()).toEqual([])
})

test("it reports that no email can be sent, and keys without an end", async () => {
  expect(await reported({ mails: false })).toEqual([expect.stringContaining("Add an email provider")])
  expect(await reported({ maxAge: null })).toEqual([expect.stringContaining("Set `maxAge`")])
})
