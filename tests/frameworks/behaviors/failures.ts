import { connect } from "node:net"
import { expect } from "vitest"
import { behavior } from "../behavior.js"
import { secret, type Site } from "../site.js"
import { cookiesOf, enterPassword, environments, signedIn, stackTrace, textOf, userOn } from "../steps.js"

/** Sends the beginning of a request, and closes the connection. */
async function abort(site: Site, request: string): Promise<void> {
  const { hostname, port } = new URL(site.origin)
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(request, () => socket.destroy())
    })
    socket.once("error", reject)
    socket.once("close", () => resolve())
  })
}

/** What happens when the configuration, the database or a connection fails. */
export const failures = [
  behavior({
    id: "failure.secret",
    title: "without a secret no user is signed in, the routes respond with 500, and the log says what to do",
    needs: "http",
    env: { AUTH_SECRET: "" },
    async run(site) {
      const routes = ["/session", "/signin", "/providers"].map((path) => site.basePath + path)
      for (const path of ["/", "/account", "/api/account", ...routes]) {
        const { status, text } = await site.send(path, { headers: { accept: "text/html" } })
        if (routes.includes(path)) expect(status, path).toBe(500)
        else if (path !== "/") expect(status, path).not.toBe(200)
        expect(text, path).not.toMatch(stackTrace)
        expect(text, path).not.toContain("AUTH_SECRET")
      }
      await expect.poll(() => site.output()).toContain("Set AUTH_SECRET to 32 random bytes")
    },
  }),
  behavior({
    id: "failure.store",
    title:
      "while the database is down public pages respond as signed out, protected ones fail, and the session survives",
    needs: "http",
    env: environments.database,
    async run(site) {
      const browser = await signedIn(site, "katherine@users.test")
      const cookie = cookiesOf(browser)
      await site.setStoreDown(true)
      try {
        const page = await site.send("/", { headers: { cookie } })
        expect(page.status).toBe(200)
        expect(textOf(page.text, "user")).toBe("Not signed in")
        expect(page.headers.getSetCookie()).toEqual([])
        const account = await site.send("/account", { headers: { cookie, accept: "text/html" } })
        expect(account.status).toBeGreaterThanOrEqual(500)
        expect(account.text).not.toMatch(stackTrace)
        expect(account.text).not.toContain("katherine")
        const api = await site.send("/api/account", { headers: { cookie } })
        expect(api.status).toBeGreaterThanOrEqual(500)
        expect(api.text).not.toMatch(stackTrace)
        expect(api.text).not.toContain("katherine")
        const session = await site.send(`${site.basePath}/session`, { headers: { cookie } })
        expect([session.status, session.text]).toEqual([503, "null"])
      } finally {
        await site.setStoreDown(false)
      }
      expect(site.output()).toContain("The store is down.")
      expect(await userOn(browser)).toBe("katherine@users.test")
    },
  }),
  behavior({
    id: "failure.store-sign-in",
    title: "a sign-in while the database is down ends on a page without internals",
    needs: "http",
    env: environments.database,
    async run(site) {
      const browser = site.browse()
      await browser.get("/sign-in?callbackUrl=/account")
      await site.setStoreDown(true)
      try {
        await enterPassword(browser, "mary@users.test")
      } finally {
        await site.setStoreDown(false)
      }
      expect(browser.text).not.toMatch(stackTrace)
      expect(browser.text).not.toContain("The store is down.")
      expect(await browser.session()).toBeNull()
    },
  }),
  behavior({
    id: "failure.aborted",
    title: "requests that are aborted don't stop the server",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      const common = `Host: ${new URL(site.origin).host}\r\nCookie: ${cookiesOf(browser)}\r\n`
      const form = `${common}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nemail=ada`
      const requests = [
        `GET / HTTP/1.1\r\n${common}\r\n`,
        `POST ${site.basePath}/callback/credentials HTTP/1.1\r\n${form}`,
        `POST ${site.basePath}/signout HTTP/1.1\r\n${form}`,
        `POST /sign-in HTTP/1.1\r\n${form}`,
      ]
      await Promise.all(Array.from({ length: 5 }, () => requests.map((request) => abort(site, request))).flat())
      expect(await userOn(browser)).toBe("ada@users.test")
    },
  }),
  behavior({
    id: "failure.secrets-hidden",
    title: "no page contains a secret",
    needs: "http",
    async run(site) {
      const browser = await signedIn(site)
      for (const path of ["/", "/account", "/sign-in", `${site.basePath}/signin`, `${site.basePath}/providers`]) {
        await browser.get(path)
        expect(browser.text, path).not.toContain(secret)
        expect(browser.text, path).not.toContain(site.op.clientSecret)
      }
    },
  }),
]
