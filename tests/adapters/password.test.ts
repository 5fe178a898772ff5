import { afterEach, describe, expect, inject, test } from "vitest"
import { attack, type Mode } from "../attack.js"
import {
  askReset,
  better,
  choose,
  good,
  isSignedIn,
  joined,
  linkTo,
  signIn,
  signUp,
  siteOf,
  type Site,
} from "../../packages/password/test/site.js"
import { ours } from "./ours.js"
import type { Opened } from "./published/published.js"

const databases = ["SQLite", "PostgreSQL", "MariaDB", "Redis", "dynalite", "a stand-in for MongoDB"]
const stores = ours.filter(
  ({ name, database }) =>
    databases.includes(database) && /sql\/(?:sqlite|postgres|mysql)$|\/(?:redis|dynamodb|mongodb)$/.test(name),
)
const available = stores.filter(({ needs }) => needs === undefined || inject(needs) !== undefined)

const ada = "ada@users.test"

const opened: Opened[] = []
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
})

describe.each(available)("passwords on $database", ({ open }) => {
  /** Two processes of an application. */
  async function sites(mode: Mode = "strict"): Promise<readonly [Site, Site]> {
    const store = await open((url) => url)
    opened.push(store)
    const { adapter } = store
    return [siteOf({ mode, adapter }), siteOf({ mode, adapter })]
  }

  test("sign up, sign in, reset", async () => {
    const [one, two] = await sites()
    const before = await joined(one, ada)
    expect(await isSignedIn(await signIn(two, ada, good))).toBe(true)
    await askReset(one, ada)
    const browser = await two.open()
    await choose(browser, linkTo(one, ada), better)
    expect([await isSignedIn(browser), await isSignedIn(before)]).toEqual([true, false])
    expect(await isSignedIn(await signIn(one, ada, good))).toBe(false)
    expect(await isSignedIn(await signIn(one, ada, better))).toBe(true)
    expect(two.errors).toEqual([])
  })

  attack("PASS-06", "of 20 parallel uses of one link in two processes, one wins", async (mode) => {
    const [one, two] = await sites(mode)
    await joined(one, ada)
    await askReset(one, ada)
    const tabs = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).open()))
    for (const tab of tabs) await tab.get(linkTo(one, ada))
    await Promise.all(
      tabs.map((tab, index) => tab.submitForm("callback/password", { newPassword: `${better} number ${index}` })),
    )
    const winners = await Promise.all(tabs.map(isSignedIn))
    expect(winners.filter(Boolean)).toHaveLength(1)
    expect(await isSignedIn(await signIn(one, ada, `${better} number ${winners.indexOf(true)}`))).toBe(true)
  })

  attack("PASS-10", "of 20 sign-ups for one email in two processes, one user comes out", async (mode) => {
    const [one, two] = await sites(mode)
    const tabs = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const site = index % 2 === 0 ? one : two
        return { site, browser: await site.open() }
      }),
    )
    await Promise.all(tabs.map(({ browser }, index) => signUp(browser, ada, `${good} number ${index}`)))
    const links = [...one.sent, ...two.sent].flatMap(({ letter }) => letter?.link?.url ?? [])
    expect(links).toHaveLength(20)
    const confirming = await Promise.all(links.map(() => two.open()))
    await Promise.all(confirming.map((browser, index) => browser.get(links[index] ?? "")))
    const open = confirming.filter(({ forms }) => forms.some(({ action }) => action.endsWith("callback/password")))
    expect(open).toHaveLength(1)
    await open[0]?.submitForm("callback/password", { newPassword: better })
    expect(await open[0]?.session()).toMatchObject({ user: { email: ada } })
    expect(await isSignedIn(await signIn(one, ada, better))).toBe(true)
  })
})
