import { expect } from "vitest"
import { attack } from "../../attack.js"
import { send } from "../../applications/http.js"
import type { Application } from "../application.js"
import { adapterCalls, signedIn, visitor } from "../visitor.js"

const foreign = "https://evil.test"

const types = [
  "application/x-www-form-urlencoded",
  "APPLICATION/X-WWW-FORM-URLENCODED; charset=utf-8",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/json",
  undefined,
]

const senders = [
  { origin: foreign },
  { origin: foreign, "sec-fetch-site": "cross-site" },
  { origin: "null", "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "cross-site" },
]

export function attacks(app: Application): void {
  const env = (security: string) => ({
    SECURITY: security,
    ...(security === "strict" ? { AUTH_URL: "origin/auth" } : {}),
  })

  attack("CSRF-04", "an action of Qwik that another site sends changes nothing", async (mode) => {
    const { origin } = await app.served({ ...env(mode), STRATEGY: "database" })
    const browser = await signedIn(origin)
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    await browser.get("/login/")
    const actions = [...new Set(browser.forms.map(({ action }) => action))]
    const mails = app.services.links.length
    expect(actions).toHaveLength(2)
    await adapterCalls(origin)
    for (const action of actions) {
      for (const type of types) {
        for (const sender of senders) {
          const body = bodyOf(type, { providerId: "email", "options.email": "grace@users.test" })
          const headers = { cookie, ...(type && { "content-type": type }), ...sender }
          const { pathname, search } = new URL(action, `${origin}/login/`)
          for (const path of [pathname + search, `${pathname}q-data.json${search}`]) {
            const response = await send(origin, path, { method: "POST", headers, body })
            const set = response.headers.getSetCookie().filter((cookie) => /session-token|state|pkce/.test(cookie))
            expect(set, `${path} ${JSON.stringify(headers)} ${response.status}`).toEqual([])
          }
        }
      }
    }
    const calls = await adapterCalls(origin)
    expect(calls).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:create|delete|use|link)/)]))
    expect(app.services.links).toHaveLength(mails)
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  attack("ADV-NA-02", "a foreign redirectTo of a Qwik action stays on the site", async (mode) => {
    const { origin } = await app.served(env(mode))
    for (const redirectTo of [
      `${foreign}/`,
      "//evil.test/",
      "/\\evil.test",
      "https:evil.test",
      `${origin}@evil.test`,
      "javascript:alert(1)",
    ]) {
      const browser = visitor(origin)
      await browser.get("/login/")
      const fields = { "options.name": "ada", "options.password": "open sesame", "options.redirectTo": redirectTo }
      await browser.submitForm("password", fields)
      expect(new URL(browser.trail[0]?.headers.get("location") ?? "", origin).origin, redirectTo).toBe(origin)
      await browser.get("/")
      await browser.submitForm("leave", { redirectTo })
      expect(new URL(browser.trail[0]?.headers.get("location") ?? "", origin).origin, redirectTo).toBe(origin)
    }
  })
}

function bodyOf(type: string | undefined, fields: Readonly<Record<string, string>>): string {
  if (type === "application/json") return JSON.stringify(fields)
  if (type?.startsWith("multipart") !== true) return new URLSearchParams(fields).toString()
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join("")}--x--\r\n`
}
