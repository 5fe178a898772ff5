import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import {
  askReset,
  better,
  choose,
  good,
  isSignedIn,
  joined,
  linkTo,
  modes,
  signIn,
  signUp,
  siteOf,
  userOf,
} from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

describe.each(modes)("links (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("PASS-02", "the Host header isn't in the link", async () => {
    const site = siteOf({ mode })
    const browser = await site.open({ host: "evil.test", "x-forwarded-host": "evil.test" })
    await joined(site, ada)
    await askReset(site, ada, browser)
    expect(new URL(linkTo(site, ada)).host).toBe("app.test")
  })

  attack(
    "PASS-02",
    "a stranger's `callbackUrl` neither leads to another site nor makes the link too long",
    async () => {
      const site = siteOf({ mode })
      await joined(site, ada)
      const askedFor = async (callbackUrl: string) => {
        const stranger = await site.open()
        await stranger.get("/auth/password/forgot")
        await stranger.submitForm("password/forgot", { email: ada, callbackUrl })
        return linkTo(site, ada)
      }
      const others = [
        "https://evil.test/x",
        "//evil.test/x",
        "/\\evil.test",
        "\t//evil.test",
        "/\t/evil.test",
        "javascript:1",
      ]
      for (const callbackUrl of [...others, "evil.test", `/${"ह".repeat(999)}`, `/${"ह".repeat(200)}`])
        expect([...new URL(await askedFor(callbackUrl)).searchParams.keys()], callbackUrl).toEqual(["token"])
      for (const callbackUrl of ["/settings?x=1", "https://app.test/settings", "/ह"])
        expect(new URL(await askedFor(callbackUrl)).searchParams.get("callbackUrl")).toBe(callbackUrl)
      const owner = await site.open()
      await choose(owner, await askedFor(`/${"ह".repeat(999)}`), better)
      expect(await isSignedIn(owner)).toBe(true)
    },
  )

  attack(
    "PASS-03",
    "a link doesn't work after the email of the user has changed, also if it's another user's now",
    async () => {
      const site = siteOf({ mode })
      await joined(site, ada)
      await askReset(site, ada)
      const link = linkTo(site, ada)
      const user = await userOf(site, ada)
      await site.adapter.updateUser?.({ id: user?.id ?? "", email: "new@users.test" })
      const thief = await site.open()
      await thief.get(link)
      expect(thief.text).toContain("This link doesn&#39;t work")
      await site.adapter.createUser?.({ id: "u2", name: null, email: ada, emailVerified: new Date(0) })
      await thief.get(link)
      expect(thief.text).toContain("This link doesn&#39;t work")
      expect(await isSignedIn(await signIn(site, "new@users.test", good))).toBe(true)
    },
  )

  attack("PASS-04", "a link doesn't work after the password has changed", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const thief = await site.open()
    await thief.get(linkTo(site, ada))
    const browser = await signIn(site, ada, good)
    await browser.get("/auth/password/change")
    await browser.submitForm("callback/password", { password: good, newPassword: better })
    await thief.submitForm("callback/password", { newPassword: "thief thief violin copper" })
    expect(thief.text).toContain("This link doesn&#39;t work")
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
  })

  for (const email of [
    "ada@users.test\u0000",
    "\u0430da@users.test",
    "adá@users.test",
    "ada@users.test.evil.test",
    "ada@users.test, eve@users.test",
  ])
    attack(
      "PASS-05",
      `${JSON.stringify(email)}, which looks like another email, gets no link of its user`,
      async () => {
        const site = siteOf({ mode })
        await joined(site, ada)
        const before = site.sent.length
        await askReset(site, email)
        const sent = site.sent.slice(before)
        expect(sent.map(({ identifier }) => identifier)).not.toContain(ada)
        expect(sent.some(({ letter }) => letter?.subject.startsWith("Choose a new"))).toBe(false)
      },
    )

  for (const kind of ["reset", "sign-up"])
    attack("PASS-06", `of 20 parallel uses of a link for ${kind}, one wins`, async () => {
      const site = siteOf({ mode })
      if (kind === "reset") await joined(site, ada)
      await askReset(site, ada)
      const tabs = await Promise.all(Array.from({ length: 20 }, () => site.open()))
      for (const tab of tabs) await tab.get(linkTo(site, ada))
      await Promise.all(
        tabs.map((tab, index) => tab.submitForm("callback/password", { newPassword: `${better} number ${index}` })),
      )
      const winners = await Promise.all(tabs.map(isSignedIn))
      expect(winners.filter(Boolean)).toHaveLength(1)
      const works = []
      for (const index of tabs.keys())
        if (await isSignedIn(await signIn(site, ada, `${better} number ${index}`))) works.push(index)
      expect(works).toEqual([winners.indexOf(true)])
    })

  attack("PASS-07", "a link for a sign-up resets no password, and a link for a reset creates no account", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    const thief = await site.open()
    await signUp(thief, eve, better)
    // The link of eve's sign-up, with the fields of other forms.
    await thief.get(linkTo(site, eve))
    await thief.submitForm("callback/password", { email: ada, newPassword: better, kind: "reset" })
    expect(thief.text).toContain("This link doesn&#39;t work")
    await thief.get("/auth/password/finish")
    await thief.submitForm("callback/password", { newPassword: better, kind: "reset" })
    expect(await thief.session()).toMatchObject({ user: { email: eve } })
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(false)
    await askReset(site, ada)
    const browser = await site.open()
    await signUp(browser, "zoe@users.test", better)
    await choose(browser, linkTo(site, ada), "copper violin thirty meadow")
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(await userOf(site, "zoe@users.test")).toBeNull()
  })

  attack("PASS-16", "a link that a stranger made leaves no large cookie, which servers would refuse", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await browser.get(`/auth/password/link?token=${"x".repeat(2500)}`)
    expect(browser.text).toContain("This link doesn&#39;t work")
    expect(browser.cookies.filter(({ value }) => value.length > 1000)).toEqual([])
  })

  attack("PASS-07", "the cookie of a link can't be made up, and neither can that of a known browser", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const token = new URL(linkTo(site, ada)).searchParams.get("token") ?? ""
    for (const link of [token, "", "x"]) {
      const thief = await site.open({ cookie: `__Host-authjs.password.link=${link}` })
      await thief.get("/auth/password/finish")
      expect(thief.text).toContain("This link doesn&#39;t work")
    }
  })
})
