import { expect } from "vitest"
import { behavior } from "../behavior.js"
import { at, cookiesOf, environments, sessionCookies, signedIn, textOf, userOn } from "../steps.js"

const { database, renewing } = environments

/** Reading, renewing and updating the session, and ending it. */
export const session = [
  behavior({
    id: "session.page",
    title: "a page shows the user, and a signed-out visitor gets the page without one",
    needs: "http",
    async run(site) {
      expect(await userOn(site.browse())).toBe("Not signed in")
      expect(await userOn(await signedIn(site))).toBe("ada@users.test")
    },
  }),
  behavior({
    id: "session.api",
    title: "an API route reads the session",
    needs: "http",
    async run(site) {
      const response = await (await signedIn(site)).fetch("/api/account")
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ email: "ada@users.test", name: "ada" })
    },
  }),
  behavior({
    id: "session.route",
    title: "the session route returns the session, or null",
    needs: "http",
    async run(site) {
      expect(await site.browse().session()).toBeNull()
      expect(await (await signedIn(site)).session()).toMatchObject({ user: { email: "ada@users.test" } })
    },
  }),
  behavior({
    id: "session.one-read",
    title: "a page, a protected page and an API route each read the session once",
    needs: "http",
    env: database,
    async run(site) {
      const browser = await signedIn(site)
      for (const path of ["/", "/account", "/api/account"]) {
        await site.calls()
        expect((await browser.fetch(path)).status, path).toBe(200)
        expect(await site.calls(), path).toEqual(["getSessionAndUser"])
      }
    },
  }),
  behavior({
    id: "session.no-read",
    title: "a request without a session cookie reads nothing from the database",
    needs: "http",
    env: database,
    async run(site) {
      await site.calls()
      await site.browse().get("/")
      expect(await site.calls()).toEqual([])
    },
  }),
  behavior({
    id: "session.renewal",
    title: "a request renews a session that is due, and sets its cookie once",
    needs: "http",
    env: renewing,
    async run(site) {
      const browser = await signedIn(site)
      for (const path of ["/", "/account", "/api/account"]) {
        await site.calls()
        const response = await browser.fetch(path)
        expect(sessionCookies(response.headers), path).toHaveLength(1)
        expect(response.headers.get("cache-control"), path).toMatch(/no-store/)
        expect((await site.calls()).filter((call) => call === "updateSession")).toHaveLength(1)
      }
      expect(await userOn(browser)).toBe("ada@users.test")
    },
  }),
  behavior({
    id: "session.not-due",
    title: "a session that isn't due sets no cookie",
    needs: "http",
    env: database,
    async run(site) {
      const browser = await signedIn(site)
      for (const path of ["/", "/account", "/api/account"]) {
        const { headers } = await browser.fetch(path)
        expect(headers.getSetCookie(), path).toEqual([])
      }
    },
  }),
  behavior({
    id: "session.head",
    title: "HEAD responds like GET, without a body, and never renews the session",
    needs: "http",
    env: renewing,
    async run(site) {
      const cookie = cookiesOf(await signedIn(site))
      for (const path of ["/", "/account", `${site.basePath}/session`]) {
        await site.calls()
        const { status, headers, text } = await site.send(path, { method: "HEAD", headers: { cookie } })
        expect(status, path).toBe(200)
        expect(text, path).toBe("")
        expect(sessionCookies(headers), path).toEqual([])
        expect(await site.calls(), path).not.toContain("updateSession")
      }
    },
  }),
  behavior({
    id: "session.chunked",
    title: "a session larger than a cookie is split, read, updated and deleted",
    needs: "http",
    env: { BIG_CLAIMS: "6000" },
    async run(site) {
      const browser = await signedIn(site)
      const names = () => browser.cookies.map(({ name }) => name).filter((name) => name.includes("session-token"))
      expect(names().length).toBeGreaterThan(1)
      await browser.get("/account")
      await browser.submitForm("rename", { name: "Countess" })
      expect(textOf(browser.text, "name")).toBe("Countess")
      expect(names().length).toBeGreaterThan(1)
      await browser.get("/")
      await browser.submitForm("sign-out")
      expect(names()).toEqual([])
    },
  }),
  behavior({
    id: "session.tampered",
    title: "a changed session cookie isn't a session",
    needs: "http",
    async run(site) {
      const cookie = cookiesOf(await signedIn(site)).replace(/(session-token=[^;]{40})./, "$1~")
      const { status, text } = await site.send("/", { headers: { cookie } })
      expect(status).toBe(200)
      expect(textOf(text, "user")).toBe("Not signed in")
      const api = await site.send("/api/account", { headers: { cookie } })
      expect(api.status).toBe((await site.send("/api/account")).status)
      expect(api.text).not.toContain("ada")
    },
  }),
  behavior({
    id: "session.concurrent",
    title: "concurrent requests of several users each get their own session",
    needs: "http",
    env: renewing,
    async run(site) {
      const emails = ["ada@users.test", "grace@users.test", "hedy@users.test"]
      const users = await Promise.all(
        emails.map(async (email) => ({ email, cookie: cookiesOf(await signedIn(site, email)) })),
      )
      const requests = Array.from({ length: 10 }, () => [...users, { email: "Not signed in", cookie: "" }]).flat()
      const shown = await Promise.all(
        requests.map(async ({ cookie }) => textOf((await site.send("/", { headers: { cookie } })).text, "user")),
      )
      expect(shown).toEqual(requests.map(({ email }) => email))
    },
  }),
  behavior({
    id: "update.form",
    title: "a form of the application updates the session, and the next page shows it",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      await browser.get("/account")
      await browser.submitForm("rename", { name: "Countess" })
      expect(browser.trail[0]?.status).toBe(303)
      expect(at(browser)).toBe("/account")
      expect(textOf(browser.text, "name")).toBe("Countess")
      expect(await browser.session()).toMatchObject({ user: { name: "Countess", email: "ada@users.test" } })
    },
  }),
  behavior({
    id: "update.route",
    title: "a POST to the session route updates the session",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      const data = { csrfToken: await browser.csrf(), data: { user: { name: "Countess" } } }
      const response = await browser.fetch(`${site.basePath}/session`, {
        method: "POST",
        body: JSON.stringify(data),
        headers: { "content-type": "application/json", origin: site.origin },
      })
      expect(response.status).toBe(200)
      expect(await (await browser.fetch("/api/account")).json()).toEqual({ email: "ada@users.test", name: "Countess" })
    },
  }),
  behavior({
    id: "update.invalid",
    title: "the `jwt` callback decides what an update changes",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      await browser.get("/account")
      await browser.submitForm("rename", { name: "<script>", email: "eve@users.test" })
      expect(await browser.session()).toMatchObject({ user: { name: "ada", email: "ada@users.test" } })
    },
  }),
  behavior({
    id: "sign-out.form",
    title: "the application's form signs out and ends the session in the database",
    needs: "http",
    env: database,
    async run(site) {
      const browser = await signedIn(site)
      const cookie = cookiesOf(browser)
      await browser.get("/")
      await browser.submitForm("sign-out")
      expect(at(browser)).toBe("/")
      expect(textOf(browser.text, "user")).toBe("Not signed in")
      const { text } = await site.send("/", { headers: { cookie } })
      expect(textOf(text, "user")).toBe("Not signed in")
    },
  }),
  behavior({
    id: "sign-out.built-in",
    title: "the built-in page signs out",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      await browser.get(`${site.basePath}/signout?callbackUrl=/`)
      await browser.submitForm("signout")
      expect(await browser.session()).toBeNull()
      expect(await userOn(browser)).toBe("Not signed in")
    },
  }),
  behavior({
    id: "sign-out.everywhere",
    title: "`scope=all` on the built-in page ends the sessions of every browser",
    needs: "http",
    env: database,
    async run(site) {
      const [browser, other] = [await signedIn(site), await signedIn(site)]
      await browser.get(`${site.basePath}/signout?callbackUrl=/`)
      await browser.submitForm("signout", { scope: "all" })
      expect(at(browser)).toBe("/")
      expect([await userOn(browser), await userOn(other)]).toEqual(["Not signed in", "Not signed in"])
    },
  }),
]
