import { describe, expect, test } from "vitest"
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

const ada = "ada@users.test"

describe.each(modes)("sign-up (%s)", (mode) => {
  const attack = attackIn(mode)

  test("creates the user when the mailbox is proven, and signs in", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await signUp(browser, ada)
    expect(browser.text).toContain("Check your email")
    expect([await isSignedIn(browser), await userOf(site, ada)]).toEqual([false, null])
    await browser.get(linkTo(site, ada))
    expect(browser.text).toContain(`Create an account for ${ada}?`)
    expect(await userOf(site, ada)).toBeNull()
    await browser.submitForm("callback/password")
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(await userOf(site, ada)).toMatchObject({ email: ada, emailVerified: expect.any(Date) })
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
    expect(site.errors).toEqual([])
  })

  test.each(["the same", "another"])("leads to where the user wanted to go, also in %s browser", async (which) => {
    const site = siteOf({ mode })
    const tab = await site.open()
    await tab.get("/auth/password/sign-up?callbackUrl=/pricing%3Fplan%3Dpro")
    await tab.submitForm("password/sign-up", { email: ada, password: "short" })
    await tab.submitForm("password/sign-up", { email: ada, password: good })
    const opened = which === "another" ? await site.open() : tab
    await opened.get(linkTo(site, ada))
    await opened.submitForm("callback/password", which === "another" ? { newPassword: better } : {})
    expect(opened.location).toBe("https://app.test/pricing?plan=pro")
  })

  attack("PASS-11", "leads to no other site", async () => {
    const site = siteOf({ mode })
    const tab = await site.open()
    await tab.get("/auth/password/sign-up?callbackUrl=https://evil.test/x")
    await tab.submitForm("password/sign-up", { email: ada, password: good })
    await tab.get(linkTo(site, ada))
    await tab.submitForm("callback/password")
    expect(new URL(tab.location).origin).toBe("https://app.test")
    expect(await isSignedIn(tab)).toBe(true)
  })

  attack(
    "PASS-11",
    "asks for the password again in another browser, so that a stranger's is never confirmed",
    async () => {
      const site = siteOf({ mode })
      await signUp(await site.open(), ada, good)
      const owner = await site.open()
      await signUp(owner, "zoe@users.test", better)
      await owner.get(linkTo(site, ada))
      expect(owner.text).toContain("Choose a password")
      await owner.submitForm("callback/password")
      expect(owner.text).toContain("Use at least 15 characters")
      expect(await userOf(site, ada)).toBeNull()
      await choose(owner, linkTo(site, ada), better)
      expect(await isSignedIn(owner)).toBe(true)
      expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
      expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
    },
  )

  attack("PASS-01", "of an email that has a user tells only its owner", async () => {
    const site = siteOf({ mode })
    await joined(site, ada, good)
    const [stranger, newcomer] = [await site.open(), await site.open()]
    await signUp(stranger, ada, better)
    await signUp(newcomer, "grace@users.test", better)
    const seen = (text: string) => text.replaceAll(/grace|ada/g, "x").replaceAll(/nonce="[^"]*"|'nonce-[^']*'/g, "")
    expect(seen(stranger.text)).toBe(seen(newcomer.text))
    expect(stranger.cookies.map(({ name }) => name)).toEqual(newcomer.cookies.map(({ name }) => name))
    expect(site.sent.at(-2)?.letter?.subject).toBe("You already have an account at app.test")
    await stranger.get(linkTo(site, "grace@users.test"))
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  test("needs an email and a password by the rules", async () => {
    const site = siteOf({ mode })
    const browser = await site.open()
    await signUp(browser, "ada@users.test,eve@users.test")
    expect([browser.response.status, browser.text.includes("Enter a valid email address.")]).toEqual([400, true])
    for (const [typed, text] of [
      ["fourteen chars", "Use at least 15 characters"],
      ["passwordpassword", "too common"],
      ["ada ada users test", "made of your email"],
      ["x".repeat(2000), "too long"],
    ] as const) {
      await signUp(browser, ada, typed)
      expect([browser.response.status, browser.text.includes(text)], typed).toEqual([400, true])
    }
    expect(site.sent).toEqual([])
  })

  attack("PASS-11", "is dropped when the mailbox is proven in another way", async () => {
    const links: string[] = []
    const email = {
      id: "link",
      name: "Link",
      type: "email",
      sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
    } as const
    const site = siteOf({ mode, config: { providers: [email] } })
    const stranger = await site.open()
    await signUp(stranger, ada, good)
    const owner = await site.open()
    await owner.signIn("link", { email: ada })
    await owner.get(links[0] ?? "")
    expect(await isSignedIn(owner)).toBe(true)
    await stranger.get(linkTo(site, ada))
    expect(stranger.text).toContain("This link doesn&#39;t work")
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
  })
})

describe.each(modes)("sign-in (%s)", (mode) => {
  const attack = attackIn(mode)

  attack(
    "PASS-01",
    "looks the same for an unknown user, a wrong password, and an email that isn't verified",
    async () => {
      const site = siteOf({ mode })
      await joined(site, ada)
      await site.adapter.createUser?.({ id: "u9", name: null, email: "open@users.test", emailVerified: null })
      const answers = await Promise.all(
        [
          [ada, better],
          ["unknown@users.test", better],
          ["open@users.test", better],
        ].map(async ([email = "", password = ""]) => {
          const browser = await site.open()
          await browser.signIn("password", { email, password })
          const [first] = browser.trail
          return [first?.status, first?.headers.get("location"), [...(first?.headers.keys() ?? [])], browser.location]
        }),
      )
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
      expect(String(answers[0]?.[1])).toContain("error=CredentialsSignin")
    },
  )

  attack(
    "PASS-15",
    "is refused after 100 wrong passwords in a row, except in a browser that the user signed in with",
    async () => {
      const site = siteOf({ mode, hashing: { parallel: 4, waiting: 200 } })
      const known = await joined(site, ada)
      await known.signOut()
      const thief = await site.open()
      await thief.get("/auth/signin")
      for (let count = 0; count < 10; count++)
        await Promise.all(Array.from({ length: 10 }, () => signIn(site, ada, better, thief.clone())))
      expect(await isSignedIn(await signIn(site, ada, good, thief))).toBe(false)
      expect(await isSignedIn(await signIn(site, ada, good, known))).toBe(true)
      expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
    },
  )

  attack("CRED-04", "makes an outdated hash anew", async () => {
    const old = siteOf({ mode, algorithm: "scrypt" })
    await joined(old, ada)
    const hashes: string[] = []
    const { records } = old.adapter
    const watched = records && {
      ...old.adapter,
      records: {
        ...records,
        swap: async (...args: Parameters<typeof records.swap>) => {
          hashes.push(args[0].kind)
          return records.swap(...args)
        },
      },
    }
    const site = siteOf({ mode, ...(watched && { adapter: watched }) })
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
    expect(hashes).toEqual(["password.password"])
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
    expect(hashes).toHaveLength(1)
  })

  attack("PASS-19", "gets 503 with Retry-After if too many passwords are being hashed", async () => {
    const site = siteOf({ mode, hashing: { parallel: 1, waiting: 0 } })
    const browsers = await Promise.all([1, 2, 3, 4].map(() => site.open()))
    for (const browser of browsers) await browser.get("/auth/signin")
    await Promise.all(
      browsers.map((browser) => browser.submitForm("callback/password", { email: ada, password: good })),
    )
    const busy = browsers.filter(({ response }) => response.status === 503)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]?.response.headers.get("retry-after")).toBe("5")
    expect(busy[0]?.text).toContain("Try again in a few seconds.")
  })
})

describe.each(modes)("a reset (%s)", (mode) => {
  const attack = attackIn(mode)

  attack("PASS-13", "replaces the password, ends the sessions, and tells the user", async () => {
    const site = siteOf({ mode })
    const before = await joined(site, ada)
    const browser = await askReset(site, ada)
    await choose(browser, linkTo(site, ada), better)
    expect([await isSignedIn(before), await isSignedIn(browser)]).toEqual([false, true])
    expect(site.errors).toEqual([])
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
    expect(site.sent.at(-1)?.letter?.subject).toBe("Your password for app.test was changed")
    expect(site.sent.at(-1)?.letter?.link).toBeUndefined()
    expect(site.events.filter(({ name }) => name === "password.changed").at(-1)).toMatchObject({
      outcome: "success",
      data: { step: "reset" },
    })
  })

  attack("PASS-18", "isn't used up by opening the link", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const scanner = await site.open()
    for (let count = 0; count < 3; count++) await scanner.get(linkTo(site, ada))
    await scanner.fetch(linkTo(site, ada), { method: "HEAD" })
    const browser = await site.open()
    await choose(browser, linkTo(site, ada), better)
    expect(await isSignedIn(browser)).toBe(true)
  })

  attack("PASS-18", "leaves no token in a URL or a referrer", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const browser = await site.open()
    await browser.get(linkTo(site, ada))
    expect(browser.location).toBe("https://app.test/auth/password/finish")
    for (const response of browser.trail) expect(response.headers.get("referrer-policy")).toBe("no-referrer")
    const token = new URL(linkTo(site, ada)).searchParams.get("token") ?? "none"
    expect(Buffer.from(token, "base64url").length).toBeGreaterThanOrEqual(16)
    expect(browser.text).not.toContain(token)
    expect(browser.text).not.toContain('type="password" value')
  })

  attack("PASS-04", "works for 60 minutes", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    site.clock.advance({ minutes: 59 })
    await (await site.open()).get(linkTo(site, ada))
    site.clock.advance({ minutes: 2 })
    const browser = await site.open()
    await browser.get(linkTo(site, ada))
    expect(browser.text).toContain("is too old")
  })

  attack("PASS-04", "works with the newest link only, and once", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const first = linkTo(site, ada)
    await askReset(site, ada)
    const [old, browser] = [await site.open(), await site.open()]
    await old.get(first)
    expect(old.text).toContain("replaced by a newer one")
    await choose(browser, linkTo(site, ada), better)
    await browser.signOut()
    await browser.get(linkTo(site, ada))
    expect(browser.text).toContain("It was used")
  })

  test("refuses a password that breaks a rule, and the link still works", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    await askReset(site, ada)
    const browser = await site.open()
    await choose(browser, linkTo(site, ada), "short")
    expect([browser.response.status, browser.text.includes("at least 15 characters")]).toEqual([400, true])
    await browser.submitForm("callback/password", { newPassword: better })
    expect(await isSignedIn(browser)).toBe(true)
  })

  test("of an unknown email offers to create an account", async () => {
    const site = siteOf({ mode })
    const browser = await askReset(site, ada)
    expect(browser.text).toContain("Check your email")
    expect(site.sent.at(-1)?.letter?.subject).toContain("You don't have an account")
    await choose(browser, linkTo(site, ada), better)
    expect(await userOf(site, ada)).toMatchObject({ emailVerified: expect.any(Date) })
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
  })

  test("can be started by an administrator, who chooses no password", async () => {
    const site = siteOf({ mode })
    await joined(site, ada)
    const user = await userOf(site, ada)
    const { startReset, has } = site.server.members["password"] ?? {}
    expect(await startReset?.(user?.id)).toBe(true)
    expect(await startReset?.("unknown")).toBe(false)
    expect([await has?.(user?.id), await has?.("unknown")]).toEqual([true, false])
    const browser = await site.open()
    await choose(browser, linkTo(site, ada), better)
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe.each(modes)("a change (%s)", (mode) => {
  const attack = attackIn(mode)

  async function changed(fields: Readonly<Record<string, string>>, minutes = 0) {
    const site = siteOf({ mode })
    const other = await joined(site, ada)
    const browser = await signIn(site, ada, good)
    site.clock.advance({ minutes })
    const before = browser.cookies.find(({ name }) => name.includes("session-token"))?.value
    await browser.get("/auth/account")
    await browser.get("/auth/password/change")
    const isOpen = browser.location.endsWith("/change")
    if (isOpen) await browser.submitForm("callback/password", fields)
    const after = browser.cookies.find(({ name }) => name.includes("session-token"))?.value
    return { site, browser, other, isOpen, isReplaced: before !== after }
  }

  test("needs the old password, replaces the session, and ends the others if the user wants that", async () => {
    const fields = { password: good, newPassword: better }
    const { site, browser, other, isReplaced } = await changed({ ...fields, endOthers: "on" })
    expect([await isSignedIn(browser), await isSignedIn(other), isReplaced]).toEqual([true, false, true])
    expect(browser.location).toBe("https://app.test/auth/account")
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)
    expect(site.sent.at(-1)?.letter?.subject).toContain("was changed")
  })

  test("keeps the others otherwise", async () => {
    const { other } = await changed({ password: good, newPassword: better, endOthers: "" })
    expect(await isSignedIn(other)).toBe(true)
  })

  test.each([
    ["a wrong old password", { password: better, newPassword: better }, "The current password is wrong."],
    ["a new one that breaks a rule", { password: good, newPassword: "short" }, "at least 15 characters"],
  ])("is refused with %s", async (_, fields, text) => {
    const { site, browser } = await changed(fields)
    expect([browser.response.status, browser.text.includes(text)]).toEqual([400, true])
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  attack("PASS-14", "needs a sign-in that is still recent when the form is sent", async () => {
    const site = siteOf({ mode })
    const browser = await joined(site, ada)
    await browser.get("/auth/password/change")
    site.clock.advance({ minutes: 60 })
    await browser.submitForm("callback/password", { password: good, newPassword: better })
    expect(await isSignedIn(await signIn(site, ada, better))).toBe(false)
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
  })

  test("needs a recent sign-in", async () => {
    expect(await changed({ password: good, newPassword: better }, 60)).toMatchObject({ isOpen: false })
  })
})

test("a user without a password sets one with a link", async () => {
  const site = siteOf({ config: { providers: [byId()] } })
  await site.adapter.createUser?.({ id: "u1", name: "Ada", email: ada, emailVerified: new Date(0) })
  const browser = await site.open()
  await browser.signIn("credentials", { id: "u1", callbackUrl: "/auth/account" })
  await browser.get("/auth/account")
  expect(browser.text).toContain("You don&#39;t have a password yet.")
  await browser.submitForm("password/set")
  await choose(browser, linkTo(site, ada), better)
  await browser.get("/auth/account")
  expect(browser.text).toContain("You chose your password on")
  expect(await isSignedIn(await signIn(site, ada, better))).toBe(true)

  function byId() {
    return {
      id: "credentials",
      name: "Id",
      type: "credentials",
      credentials: { id: {} },
      authorize: async ({ id }: { id?: unknown }) => (await site.adapter.getUser?.(String(id))) ?? null,
    } as const
  }
})

test("the sign-in page links to sign-up and reset", async () => {
  const browser = await siteOf().open()
  await browser.get("/auth/signin")
  expect(browser.text).toContain("https://app.test/auth/password/forgot")
  expect(browser.text).toContain("https://app.test/auth/password/sign-up")
  expect(browser.text).toContain('autocomplete="current-password"')
})

test("inputs tell managers of passwords what they are for, and nothing keeps from pasting", async () => {
  const site = siteOf()
  const browser = await site.open()
  await browser.get("/auth/password/sign-up")
  expect(browser.text).toMatch(
    /<input[^>]*autocomplete="username"[^>]*type="email"|<input[^>]*type="email"[^>]*autocomplete="username"/,
  )
  expect(browser.text).toMatch(/<input[^>]*autocomplete="new-password"/)
  expect(browser.text).not.toMatch(/onpaste|maxlength|pattern=/)
})

test("the service for breached passwords that is down is an event, and the user signs up", async () => {
  const site = siteOf({ breached: () => Promise.reject(new Error("down")) })
  await joined(site, ada)
  expect(await userOf(site, ada)).not.toBeNull()
  expect(site.events).toContainEqual(
    expect.objectContaining({ name: "password.breach-check-failed", outcome: "failure" }),
  )
})
