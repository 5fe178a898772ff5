import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { appOf, mailer, whoIs, type World, world } from "../modes/setup.js"

/** Plants the cookies of one browser in another, as a sibling domain can. */
async function planted(its: World, mode: Mode, from: Awaited<ReturnType<typeof appOf>>) {
  const victim = await appOf(its, { security: mode })
  for (const cookie of from.cookies) {
    if (cookie.name.startsWith("__Host-")) continue
    victim.jar.put({ ...cookie, domain: "app.test", hostOnly: false })
  }
  return victim
}

attack(
  "CK-01",
  "a sibling domain can't finish its own sign-in at a provider in the browser of another user",
  async (mode) => {
    const its = world()
    const eve = await appOf(its, { security: mode })
    await eve.signIn("op")
    expect(eve.cookies.some(({ name }) => name.startsWith("__Host-authjs.state."))).toBe(true)
    const answer = await its.op.authorize(eve.location, { as: "grace" })
    const victim = await planted(its, mode, eve)
    await victim.get(answer.method === "GET" ? answer.location : "")
    expect(await whoIs(victim)).toBeNull()
    expect(its.op.requestsTo("token")).toEqual([])
  },
)

attack("MAIL-05", "a link of a sibling domain isn't the victim's own link, so it asks first", async (mode) => {
  const its = world()
  const { provider, links } = mailer()
  const rest = { security: mode, providers: [provider] }
  const eve = await appOf(its, rest)
  await eve.signIn("mail", { email: "eve@example.test" })
  expect(eve.cookies.some(({ name }) => name.startsWith("__Host-authjs.nonce."))).toBe(true)
  const victim = await appOf(its, rest)
  for (const cookie of eve.cookies) {
    if (!cookie.name.startsWith("__Host-")) victim.jar.put({ ...cookie, domain: "app.test", hostOnly: false })
  }
  await victim.get(links[0] ?? "")
  expect(await whoIs(victim)).toBeNull()
  await eve.get(links[0] ?? "")
  expect(await whoIs(eve)).toBe("eve@example.test")
})
