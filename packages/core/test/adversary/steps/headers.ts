import fc from "fast-check"
import { emailOf, origins, victims } from "../world/names.js"
import { steps } from "./step.js"

const forged: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  host: { host: "mallory.test" },
  "forwarded host": { "x-forwarded-host": "mallory.test" },
  "two forwarded hosts": { "x-forwarded-host": "app.example.test, mallory.test" },
  "forwarded scheme": { "x-forwarded-proto": "http" },
  forwarded: { forwarded: "host=mallory.test;proto=http" },
  "trailing dot": { host: "app.example.test.", "x-forwarded-host": "app.example.test." },
}

export const forgedHeaders = steps({
  does: "the attacker asks for a link for a user, or starts a sign-in, with forged headers",
  data: fc.record({
    victim: fc.constantFrom(...victims),
    headers: fc.constantFrom(...Object.keys(forged)),
    url: fc.constantFrom(origins.app, origins.plain, origins.foreign),
    path: fc.constantFrom("/auth/signin/mail", "/auth/signin/op", "/auth/signout", "/auth/csrf", "/auth/signin"),
  }),
  async run({ users, send }, { victim, headers, url, path }) {
    const { browser } = users.mallory
    const csrfToken = (await browser.csrf()) ?? ""
    const use = { url: new URL(origins.app), method: "POST", sameSite: true, navigation: true }
    const cookie = browser.jar.header(use)
    const isForm = !path.endsWith("/csrf") && path !== "/auth/signin"
    const body = new URLSearchParams({ csrfToken, email: emailOf(victim), callbackUrl: `${origins.foreign}/` })
    const init = isForm ? { method: "POST", body } : { method: "GET" }
    await send(new Request(`${url}${path}`, { ...init, headers: { cookie, ...forged[headers] } }))
  },
})
