import { describe, expect, test } from "vitest"
import { better, choose, good, isSignedIn, linkTo, modes, signIn, signUp, siteOf, userOf } from "../site.js"

const [ada, eve] = ["ada@users.test", "eve@users.test"]

describe.each(modes)("the sign-up page (%s)", (mode) => {
  const pages = { terms: "/terms", privacy: "https://legal.test/privacy" }

  test("names the application, and links to the terms and the privacy policy", async () => {
    const site = siteOf({ mode, config: { theme: { name: "Acme" }, pages } })
    const browser = await site.open()
    for (const path of ["/auth/password/sign-up", "/auth/signin"]) {
      await browser.get(path)
      expect(browser.text).toContain('<a href="/terms">Terms of service</a>')
      expect(browser.text).toContain('<a href="https://legal.test/privacy">Privacy policy</a>')
    }
    await browser.get("/auth/password/sign-up")
    expect(browser.text).toContain("<h1>Create your account at Acme</h1>")
    await browser.get("/auth/password/forgot")
    expect(browser.text).not.toContain("Terms of service")
  })

  test("asks for the names that the configuration has, and stores them with the user", async () => {
    const site = siteOf({ mode, fields: { givenName: {}, familyName: { required: false } } })
    const browser = await site.open()
    await browser.get("/auth/password/sign-up")
    expect(browser.text).toContain('autocomplete="given-name"')
    expect(browser.text).not.toContain('name="name"')
    const fields = { email: ada, password: good }
    await browser.submitForm("password/sign-up", { ...fields, givenName: " ", familyName: "Byron" })
    expect(browser.response.status).toBe(400)
    expect(browser.text).toContain("Check the field “First name”.")
    expect(browser.text).toContain('value="Byron"')
    await browser.submitForm("password/sign-up", { ...fields, givenName: " Ada ", familyName: "Byron" })
    await browser.get(linkTo(site, ada))
    await browser.submitForm("callback/password")
    expect(await userOf(site, ada)).toMatchObject({ name: "Ada Byron" })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada Byron" } })
  })

  test.each(["x".repeat(201), "Ada\nByron", "Ada\u202Etxt.exe", "x".repeat(20_000)])(
    "refuses a name that isn't one line of text (case %#)",
    async (name) => {
      const site = siteOf({ mode, fields: { name: {} } })
      const browser = await site.open()
      await browser.get("/auth/password/sign-up")
      await browser.post("/auth/password/sign-up", {
        csrfToken: browser.forms[0]?.fields["csrfToken"] ?? "",
        email: ada,
        password: good,
        name,
      })
      expect(browser.response.status).toBe(400)
      expect(site.sent).toEqual([])
    },
  )

  test("a name that a stranger typed isn't the owner's: another browser is asked again", async () => {
    const site = siteOf({ mode, fields: { name: {} } })
    const stranger = await site.open()
    await stranger.get("/auth/password/sign-up")
    await stranger.submitForm("password/sign-up", { email: ada, password: good, name: "Stranger" })
    const owner = await site.open()
    await owner.get(linkTo(site, ada))
    await owner.submitForm("callback/password", { newPassword: better, name: "" })
    expect(owner.text).toContain("Check the field “Name”.")
    await owner.submitForm("callback/password", { newPassword: better, name: "Ada" })
    expect(await userOf(site, ada)).toMatchObject({ name: "Ada" })
  })

  test("a name that is typed with a known email changes nothing", async () => {
    const site = siteOf({ mode, fields: { name: {} } })
    const browser = await site.open()
    await browser.get("/auth/password/sign-up")
    await browser.submitForm("password/sign-up", { email: ada, password: good, name: "Ada" })
    await browser.get(linkTo(site, ada))
    await browser.submitForm("callback/password")
    await browser.get("/auth/password/sign-up")
    await browser.submitForm("password/sign-up", { email: ada, password: better, name: "Eve" })
    await choose(browser, linkTo(site, ada), better)
    expect(await userOf(site, ada)).toMatchObject({ name: "Ada" })
  })
})

describe.each(modes)("by invitation (%s)", (mode) => {
  const [invitationOnly, closed] = [{ mode, signUp: "invitation" } as const, { mode, signUp: "closed" } as const]
  const invited = async (site: ReturnType<typeof siteOf>, email: string) =>
    site.server.members["password"]?.["invite"]?.(email)

  test("an invited user chooses a password with the link, once", async () => {
    const site = siteOf(invitationOnly)
    expect(await invited(site, ada)).toBe(true)
    expect(site.sent.at(-1)?.letter?.subject).toBe("You’re invited to app.test")
    expect(site.sent.at(-1)?.letter?.closing?.join(" ")).toContain("7 days")
    const link = linkTo(site, ada)
    const browser = await site.open()
    await choose(browser, link, good)
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(true)
    const again = await site.open()
    await again.get(link)
    expect(again.text).toContain("This link doesn&#39;t work")
    expect(await invited(site, ada)).toBe(false)
    expect(site.errors).toEqual([])
  })

  test("of 20 parallel uses of an invitation, one wins", async () => {
    const site = siteOf(invitationOnly)
    await invited(site, ada)
    const tabs = await Promise.all(Array.from({ length: 20 }, () => site.open()))
    for (const tab of tabs) await tab.get(linkTo(site, ada))
    await Promise.all(tabs.map((tab, at) => tab.submitForm("callback/password", { newPassword: `${better} ${at}` })))
    expect((await Promise.all(tabs.map(isSignedIn))).filter(Boolean)).toHaveLength(1)
  })

  test("an invitation is for its email, whatever the form says", async () => {
    const site = siteOf(invitationOnly)
    await invited(site, ada)
    const browser = await site.open()
    await browser.get(linkTo(site, ada))
    await browser.submitForm("callback/password", { newPassword: good, email: eve, mailbox: eve })
    expect(browser.text).toContain("This link doesn&#39;t work")
    await browser.get(linkTo(site, ada))
    await browser.submitForm("callback/password", { newPassword: good, mailbox: eve })
    expect(await userOf(site, eve)).toBeNull()
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
  })

  test("an invitation ends after seven days, when it's withdrawn, with the next one, and when the user exists", async () => {
    const site = siteOf(invitationOnly)
    const dead = async (link: string) => {
      const browser = await site.open()
      await browser.get(link)
      return browser.text.includes("This link doesn&#39;t work")
    }
    await invited(site, ada)
    const first = linkTo(site, ada)
    await invited(site, ada)
    expect([await dead(first), await dead(linkTo(site, ada))]).toEqual([true, false])
    site.clock.advance({ days: 8 })
    expect(await dead(linkTo(site, ada))).toBe(true)
    await invited(site, ada)
    expect(await site.server.members["password"]?.["uninvite"]?.(ada)).toBe(true)
    expect(await site.server.members["password"]?.["uninvite"]?.(ada)).toBe(false)
    expect(await dead(linkTo(site, ada))).toBe(true)
    await invited(site, ada)
    await site.adapter.createUser?.({ id: "u1", name: null, email: ada, emailVerified: null })
    expect(await dead(linkTo(site, ada))).toBe(true)
  })

  test.each([invitationOnly, closed])(
    "a stranger can't tell who is invited, or has an account (%j)",
    async (options) => {
      const site = siteOf(options)
      await site.adapter.createUser?.({ id: "u1", name: null, email: "zoe@users.test", emailVerified: new Date(0) })
      if (options.signUp === "invitation") await invited(site, ada)
      const seen = []
      for (const email of [ada, eve, "zoe@users.test"]) {
        const browser = await site.open()
        await browser.get("/auth/password/sign-up")
        const page = [browser.response.status, browser.forms.length]
        await browser.get("/auth/password/forgot")
        const { csrfToken = "" } = browser.forms[0]?.fields ?? {}
        await browser.post("/auth/password/sign-up", { csrfToken, email, password: good })
        const posted = [browser.response.status, browser.text]
        await browser.get("/auth/password/forgot")
        await browser.submitForm("password/forgot", { email })
        const text = [...posted, browser.response.status, browser.text].join("\n").replaceAll(email, "x")
        seen.push([page, text.replaceAll(/nonce="[^"]*"/g, ""), browser.cookies.map(({ name }) => name)])
      }
      expect(seen[0]).toEqual([[403, 0], expect.any(String), expect.any(Array)])
      expect(seen[1]).toEqual(seen[0])
      expect(seen[2]).toEqual(seen[0])
      const letters = site.sent.filter(({ letter }) => letter?.subject.includes("don't have an account"))
      expect(letters.map(({ letter }) => letter?.link)).toEqual([undefined, undefined])
    },
  )

  test.each([invitationOnly, closed])(
    "a link that was sent before sign-up ended creates no user (%j)",
    async (options) => {
      const open = siteOf({ mode })
      const browser = await open.open()
      await signUp(browser, ada)
      const site = siteOf({ ...options, adapter: open.adapter })
      const link = linkTo(open, ada)
      const later = await site.open()
      await choose(later, link, good)
      expect([await isSignedIn(later), await userOf(site, ada)]).toEqual([false, null])
      expect(later.location).toContain("error=AccessDenied")
    },
  )

  test.each([invitationOnly, closed])("other ways to sign in create no user for a stranger (%j)", async (options) => {
    const links: string[] = []
    const email = {
      id: "link",
      name: "Link",
      type: "email",
      sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
    } as const
    const site = siteOf({ ...options, config: { providers: [email] } })
    const open = async (to: string) => {
      const browser = await site.open()
      await browser.signIn("link", { email: to })
      await browser.get(links.at(-1) ?? "")
      return browser
    }
    if (options.signUp === "invitation") await invited(site, ada)
    expect(await isSignedIn(await open(eve))).toBe(false)
    expect(await userOf(site, eve)).toBeNull()
    expect(await isSignedIn(await open(ada))).toBe(options.signUp === "invitation")
    // Used up: the email was proven otherwise.
    if (options.signUp === "closed") return
    await site.adapter.deleteUser?.((await userOf(site, ada))?.id ?? "")
    expect(await isSignedIn(await open(ada))).toBe(false)
  })

  test("the Host header isn't in an invitation, and no token is stored", async () => {
    const site = siteOf(invitationOnly)
    const stored: string[] = []
    const { records } = site.adapter
    const insert = records?.insert
    if (records && insert)
      Object.assign(records, {
        insert: async (...given: Parameters<typeof insert>) => {
          stored.push(JSON.stringify(given))
          return insert(...given)
        },
      })
    await invited(site, ada)
    const url = new URL(linkTo(site, ada))
    expect(url.origin).toBe("https://app.test")
    expect(stored.join("")).not.toContain(url.searchParams.get("token") ?? "none")
    expect(stored).toHaveLength(1)
  })

  test("the sign-in page links to no sign-up", async () => {
    for (const options of [invitationOnly, closed]) {
      const browser = await siteOf(options).open()
      await browser.get("/auth/signin")
      expect(browser.text).not.toContain("sign-up")
    }
  })

  test("no user is invited to a closed site, and only an email is", async () => {
    await expect(invited(siteOf(closed), ada)).rejects.toThrow('Use "invitation" instead')
    await expect(invited(siteOf(invitationOnly), "ada@users.test,eve@users.test")).rejects.toThrow("one email")
  })
})

test.each([
  [{ signUp: "invite" as "invitation" }, 'Use "open", "invitation" or "closed"'],
  [{ fields: { nick: {} } }, "`fields.nick` has no `label`"],
  [{ fields: { password: { label: "x" } } }, "can't have the name `password`"],
  [{ fields: { "a b": { label: "x" } } }, "can't have the name `a b`"],
])("an option that doesn't exist is a problem: %j", async (options, text) => {
  const site = siteOf(options)
  const browser = await site.open()
  await browser.get("/auth/password/sign-up")
  expect(site.errors.join("\n")).toContain(text)
})

describe.each(modes)("the signUp callback (%s)", (mode) => {
  const fields = { name: {}, company: { label: { en: "Company", de: "Firma" }, autocomplete: "organization" } }

  test("gets what was typed, and decides what is stored", async () => {
    const asked: unknown[] = []
    const site = siteOf({
      mode,
      fields,
      config: {
        callbacks: {
          signUp: ({ user, fields: typed }) => {
            asked.push(user.name, user.email, typed)
            return { image: `https://logo.test/${typed?.["company"]}` }
          },
        },
      },
    })
    const browser = await site.open({ "accept-language": "de" })
    await browser.get("/auth/password/sign-up")
    expect(browser.text).toContain("Firma</label>")
    await browser.submitForm("password/sign-up", { email: ada, password: good, name: "Ada", company: "Acme" })
    expect(asked).toEqual([])
    await browser.get(linkTo(site, ada))
    await browser.submitForm("callback/password")
    expect(asked).toEqual(["Ada", ada, { name: "Ada", company: "Acme" }])
    expect(await userOf(site, ada)).toMatchObject({ name: "Ada", image: "https://logo.test/Acme" })
    await signIn(site, ada, good)
    expect(asked).toHaveLength(3)
  })

  test("refuses a sign-up, and no form tells it before the mailbox is proven", async () => {
    const site = siteOf({ mode, config: { callbacks: { signUp: () => false } } })
    const browser = await site.open()
    await signUp(browser, ada)
    expect(browser.text).toContain("Check your email")
    await browser.get(linkTo(site, ada))
    await browser.submitForm("callback/password")
    expect(browser.location).toContain("error=AccessDenied")
    expect([await isSignedIn(browser), await userOf(site, ada)]).toEqual([false, null])
    expect(await isSignedIn(await signIn(site, ada, good))).toBe(false)
  })
})
