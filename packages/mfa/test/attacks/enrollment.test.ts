import { describe, expect } from "vitest"
import { attackIn } from "../../../../tests/attack.js"
import { phone } from "../phone.js"
import { enrolled, held, modes, newUser, signedIn, signInByLink, siteOf, submit } from "../site.js"

describe.each(modes)("with security: %s, an enrollment", (security) => {
  const attack = attackIn(security)
  const site = () => siteOf({}, { security })

  attack("MFA-10", "of another site isn't begun or confirmed", async () => {
    const its = await site()
    const browser = await newUser(its)
    const from = "https://evil.test/"
    await browser.post("/auth/mfa/enroll", { method: "app" }, { from })
    expect(its.store.rows().records.filter(({ kind }: { kind: string }) => kind === "mfa.setup")).toEqual([])
    await submit(browser, "enroll", { method: "app" })
    const app = phone()
    app.scan(browser)
    await browser.post("/auth/mfa/confirm", { code: app.code(its.clock.now()) }, { from })
    expect(await its.server.isEnrolled(its.idOf("ada"))).toBe(false)
  })

  attack("MFA-09", "that began before a sign-in as another user plants nothing", async () => {
    const its = await site()
    await newUser(its, "grace")
    const browser = await newUser(its)
    await submit(browser, "enroll", { method: "app" })
    const app = phone()
    app.scan(browser)
    const tab = browser.clone()
    await signInByLink(its, tab, "grace")
    await browser.post("/auth/mfa/confirm", { code: app.code(its.clock.now()), csrfToken: (await tab.csrf()) ?? "" })
    for (const name of ["ada", "grace"]) expect(await its.server.isEnrolled(its.idOf(name))).toBe(false)
  })

  attack("MFA-09", "that began in another session of the same user plants nothing", async () => {
    const its = await site()
    const browser = await newUser(its)
    await submit(browser, "enroll", { method: "app" })
    const app = phone()
    app.scan(browser)
    await signInByLink(its, browser, "ada")
    const elsewhere = await its.browse()
    await signInByLink(its, elsewhere, "ada")
    for (const each of [browser, elsewhere])
      await each.post("/auth/mfa/confirm", {
        code: app.code(its.clock.now()),
        csrfToken: (await each.csrf()) ?? "",
      })
    expect(await its.server.isEnrolled(its.idOf("ada"))).toBe(false)
  })

  attack("MFA-09", "of a thief whose cookie is planted in the browser of a user isn't theirs", async () => {
    const its = await site()
    const thief = await newUser(its, "grace")
    await submit(thief, "enroll", { method: "app" })
    const app = phone()
    app.scan(thief)
    const planted = thief.cookies.find(({ name }) => name.endsWith("mfa.place"))
    const user = await newUser(its)
    const cookie = [...user.cookies, planted].map((each) => `${each?.name}=${each?.value}`).join("; ")
    const fields = { code: app.code(its.clock.now()), csrfToken: (await user.csrf()) ?? "" }
    await user.post("/auth/mfa/confirm", fields, { headers: { cookie } })
    for (const name of ["ada", "grace"]) expect(await its.server.isEnrolled(its.idOf(name))).toBe(false)
  })

  attack("MFA-09", "that began before the user had a factor needs the factor", async () => {
    const its = await site()
    const thief = await newUser(its)
    await submit(thief, "enroll", { method: "app" })
    const app = phone()
    app.scan(thief)
    const person = await enrolled(its)
    await thief.submitForm("mfa/confirm", { code: app.code(its.clock.now()) })
    its.clock.advance({ minutes: 5 })
    const tab = await held(its)
    await tab.submitForm("auth/factor", { code: app.code(its.clock.now()) })
    expect(await tab.session()).toBeNull()
    await signedIn(its, person)
  })

  attack("MFA-08", "isn't confirmed by guessing", async () => {
    const its = await siteOf({}, { security, rateLimit: {} })
    const browser = await newUser(its)
    await submit(browser, "enroll", { method: "app" })
    const app = phone()
    app.scan(browser)
    const csrfToken = (await browser.csrf()) ?? ""
    const send = async (code: string) =>
      browser.fetch("/auth/mfa/confirm", { method: "POST", body: new URLSearchParams({ code, csrfToken }) })
    await Promise.all(Array.from({ length: 5 }, async () => send("000000")))
    expect((await send(app.code(its.clock.now()))).status).toBe(429)
    expect(await its.server.isEnrolled(its.idOf("ada"))).toBe(false)
  })

  attack("MFA-09", "ends after 10 minutes", async () => {
    const its = await site()
    const browser = await newUser(its)
    await submit(browser, "enroll", { method: "app" })
    const app = phone()
    app.scan(browser)
    its.clock.advance({ minutes: 10, seconds: 1 })
    await browser.submitForm("mfa/confirm", { code: app.code(its.clock.now()) })
    expect(await its.server.isEnrolled(its.idOf("ada"))).toBe(false)
  })
})
