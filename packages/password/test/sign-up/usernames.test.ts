import { describe, expect, test } from "vitest"
import { better, choose, good, isSignedIn, linkTo, modes, signIn, type Site, siteOf, userOf } from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

async function join(site: Site, email: string, username: string) {
  const browser = await site.open()
  await browser.get("/auth/password/sign-up")
  await browser.submitForm("password/sign-up", { email, username, password: good })
  if (browser.response.status !== 200) return browser
  await browser.get(linkTo(site, email))
  await browser.submitForm("callback/password")
  return browser
}

const usernameOf = async (site: Site, email: string) =>
  site.server.members["password"]?.["usernameOf"]?.((await userOf(site, email))?.id)

describe.each(modes)("usernames (%s)", (mode) => {
  test("sign in, as the email does, in any case and width", async () => {
    const asked: unknown[] = []
    const callbacks = { signUp: ({ fields }: { fields?: unknown }) => asked.push(fields) > 0 }
    const site = siteOf({ mode, usernames: true, config: { callbacks } })
    expect(await isSignedIn(await join(site, ada, " Ada.L "))).toBe(true)
    expect(asked).toEqual([{ username: "ada.l" }])
    expect(await usernameOf(site, ada)).toBe("ada.l")
    for (const typed of ["ada.l", "ADA.L", "ａｄａ.l", ada]) {
      expect(await isSignedIn(await signIn(site, typed, good)), typed).toBe(true)
      expect(await isSignedIn(await signIn(site, typed, better)), typed).toBe(false)
    }
    const browser = await site.open({ "accept-language": "de" })
    await browser.get("/auth/signin")
    expect(browser.text).toContain("E-Mail oder Benutzername</label>")
  })

  test.each([
    "ab",
    "-ada",
    "ada-",
    "a..b",
    "a b c",
    "ada@x",
    "аda",
    "ad\u0430",
    "ada\u200b",
    "adа",
    "\u00e4da",
    "x".repeat(33),
    "x".repeat(30_000),
  ])("%j can't be one", async (username) => {
    const site = siteOf({ mode, usernames: true })
    const browser = await join(site, eve, username)
    expect(browser.response.status).toBe(400)
    expect(browser.text).toContain("Use 3 to 32 letters")
    expect(site.sent).toEqual([])
  })

  test.each(["ada1", "ADA1", "adal", "ａｄａ１"])("%j looks like ada1, so it's taken", async (username) => {
    const site = siteOf({ mode, usernames: true })
    await join(site, ada, "ada1")
    const browser = await join(site, eve, username)
    expect(browser.text).toContain("This username is taken, or looks like another one.")
    expect(await userOf(site, eve)).toBeNull()
  })

  test.each([
    ["admin", "adrnin"],
    ["root", "r00t"],
    ["william", "vvilliam"],
  ])("a look-alike of %s, %s, isn't free, and signs no one in", async (username, other) => {
    const site = siteOf({ mode, usernames: true })
    await join(site, ada, username)
    expect((await join(site, eve, other)).text).toContain("looks like another one")
    expect(await isSignedIn(await signIn(site, other, good))).toBe(false)
    expect(await isSignedIn(await signIn(site, username, good))).toBe(true)
  })

  test("of 10 visitors who confirm one username at the same time, one gets it", async () => {
    const site = siteOf({ mode, usernames: true, hashing: { parallel: 4, waiting: 200 } })
    const emails = Array.from({ length: 10 }, (_, at) => `user${at}@users.test`)
    const browsers = await Promise.all(
      emails.map(async (email, at) => {
        const browser = await site.open()
        await browser.get("/auth/password/sign-up")
        const username = at % 2 === 0 ? "admin" : "adrnin"
        await browser.submitForm("password/sign-up", { email, username, password: good })
        await browser.get(linkTo(site, email))
        return browser
      }),
    )
    await Promise.all(browsers.map((browser) => browser.submitForm("callback/password")))
    expect((await Promise.all(browsers.map(isSignedIn))).filter(Boolean)).toHaveLength(1)
    const users = await Promise.all(emails.map(async (email) => userOf(site, email)))
    expect(users.filter((user) => user !== null)).toHaveLength(1)
    const loser = browsers.find(({ text }) => text.includes("This username is taken"))
    await loser?.submitForm("callback/password", { newPassword: better, username: "someone.else" })
    expect(loser && (await isSignedIn(loser))).toBe(true)
  })

  test("a reservation that isn't used ends, and a username goes with its user", async () => {
    const closed = { callbacks: { signUp: () => false } }
    const refusing = siteOf({ mode, usernames: true, config: closed })
    expect(await isSignedIn(await join(refusing, eve, "ada.l"))).toBe(false)
    const site = siteOf({ mode, usernames: true, adapter: refusing.adapter })
    expect((await join(site, ada, "ada.l")).text).toContain("This username is taken")
    site.clock.advance({ minutes: 16 })
    expect(await isSignedIn(await join(site, ada, "ada.l"))).toBe(true)
    site.clock.advance({ days: 3000 })
    expect(await usernameOf(site, ada)).toBe("ada.l")
    await site.adapter.deleteUser?.((await userOf(site, ada))?.id ?? "")
    expect(await isSignedIn(await join(site, eve, "ada.l"))).toBe(true)
  })

  test("of another browser's sign-up isn't taken over: the owner of the mailbox chooses", async () => {
    const site = siteOf({ mode, usernames: true })
    const stranger = await site.open()
    await stranger.get("/auth/password/sign-up")
    await stranger.submitForm("password/sign-up", { email: ada, username: "stranger", password: good })
    const owner = await site.open()
    await owner.get(linkTo(site, ada))
    await owner.submitForm("callback/password", { newPassword: better, username: "ada.l" })
    expect(await usernameOf(site, ada)).toBe("ada.l")
  })

  test("without the option, there are none", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await browser.get("/auth/password/sign-up")
    expect(browser.text).not.toContain('name="username"')
    await choose(browser, "/auth/password/sign-up", good).catch(() => undefined)
    expect(await isSignedIn(await signIn(site, "ada.l", good))).toBe(false)
  })
})
