import type { MethodsStep } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { describe, expect, test } from "vitest"
import { addAuthenticator } from "../../../tests/browser/authenticator.js"
import { inChromium } from "../../../tests/browser/chromium.js"
import { listening } from "../../../tests/browser/host.js"
import { findings } from "../../../tests/pages/audit.js"
import { Page as SignInPage, type SignInSetup } from "./pages/sign-in.js"
import { freeze } from "./site.js"
import { openSignInSite, type SignInChoices, type SignInSite } from "./sign-in-site.js"

const ada = "ada@example.test"
const password = "open sesame"

inChromium("SignIn", (visit) => {
  interface Opened {
    readonly site: SignInSite
    readonly page: Page
    readonly complaints: string[]
  }

  async function opened(setup: SignInSetup = {}, choices: SignInChoices = {}, path = "/"): Promise<Opened> {
    const site = await openSignInSite(choices)
    site.show(setup)
    // Without transitions, axe measures the final colors.
    const { page, complaints } = await visit({ reducedMotion: "reduce" })
    await page.goto(site.origin + path)
    return { site, page, complaints }
  }

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
  const focused = (page: Page) => page.locator(":focus")

  async function enterPassword(page: Page, typed: string): Promise<void> {
    await button(page, "Sign in with a password instead").click()
    await field(page, "Email").fill(ada)
    await field(page, "Password").fill(typed)
    await button(page, "Sign in").click()
  }

  test.each([18, 19] as const)(
    "with React %d, a wrong password is shown at its field, and the right one signs in",
    async (react) => {
      const { site, page, complaints } = await opened({ props: { redirectTo: "/home" } }, { react })
      await enterPassword(page, "wrong")
      await page.locator("[aria-invalid=true]").waitFor()
      expect(await focused(page).getAttribute("name")).toBe("password")
      expect(await focused(page).getAttribute("aria-describedby")).toBe(
        await page.locator("[data-slot=field-error]").getAttribute("id"),
      )
      expect(await field(page, "Email").inputValue()).toBe(ada)
      expect(complaints.splice(0)).toEqual([expect.stringContaining("401")])
      await page.keyboard.type(password)
      await page.keyboard.press("Enter")
      await page.waitForURL(`${site.origin}/home`)
      expect(complaints).toEqual([])
    },
  )

  test("the server is asked once for a form that is sent twice", async () => {
    const { site, page } = await opened({ stays: true })
    await button(page, "Sign in with a password instead").click()
    await field(page, "Email").fill(ada)
    await field(page, "Password").fill(password)
    site.asked()
    await page.evaluate(
      `const form = document.querySelector("[data-method=credentials]"); form.requestSubmit(); form.requestSubmit()`,
    )
    await page.locator("#who", { hasText: ada }).waitFor()
    expect(site.asked()["POST /auth/callback/credentials"]).toBe(1)
  })

  test("with onSuccess, the page stays, gets the next URL, and useSession has the new session", async () => {
    const { page } = await opened({ stays: true, props: { redirectTo: "/home" } })
    await enterPassword(page, password)
    await page.locator("#who", { hasText: ada }).waitFor()
    expect(new URL(await page.title()).pathname).toBe("/home")
  })

  test("the code of an email signs in, also when it's pasted with a space, and a wrong one can be corrected", async () => {
    const { site, page } = await opened({ props: { redirectTo: "/home" } })
    await field(page, "Email").fill(ada)
    await button(page, "Email me a sign-in link").click()
    await page.getByText(`We sent a sign-in link and a code to ${ada}.`).waitFor()
    expect(await focused(page).getAttribute("autocomplete")).toBe("one-time-code")
    const code = site.codes.at(-1) ?? ""
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0")
    await page.keyboard.type(wrong)
    await page.locator("[aria-invalid=true]").waitFor()
    expect(await field(page, "6-digit code").inputValue()).toBe("")
    await focused(page).fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await page.waitForURL(`${site.origin}/home`)
  })

  test("another email can be requested after the time that the server says, and the address can be changed", async () => {
    const site = await openSignInSite()
    const { page } = await visit()
    await freeze(page)
    await page.goto(site.origin)
    await field(page, "Email").fill(ada)
    await button(page, "Email me a sign-in link").click()
    const waiting = button(page, "Send the email again (60s)")
    await waiting.waitFor()
    await waiting.dispatchEvent("click")
    await page.clock.runFor(10_000)
    await button(page, "Send the email again (50s)").waitFor()
    await page.clock.runFor(50_000)
    await button(page, "Send the email again").click()
    await page.getByText("We sent the email again.").waitFor()
    await waiting.waitFor()
    expect(site.codes).toHaveLength(2)
    await button(page, "Use a different email").click()
    await field(page, "Email").waitFor()
    expect(await field(page, "Email").inputValue()).toBe(ada)
    expect(await focused(page).getAttribute("name")).toBe("email")
  })

  test("a user creates a passkey, and signs in with its button", async () => {
    const { site, page } = await opened(
      { props: { redirectTo: "/home" } },
      { config: { security: { passkeySignUp: true } } },
    )
    await addAuthenticator(page)
    await button(page, "Create a passkey").click()
    await field(page, "Email").fill(ada)
    await button(page, "Create a passkey").click()
    await page.waitForURL(`${site.origin}/home`)
    await page.context().clearCookies()
    await page.goto(site.origin)
    await button(page, "Sign in with a passkey").click()
    await page.waitForURL(`${site.origin}/home`)
    expect(await (await page.request.get(`${site.origin}/auth/session`)).json()).toMatchObject({ user: { email: ada } })
  })

  test("a passkey in the autofill signs in", async () => {
    const { site, page } = await opened({ props: { redirectTo: "/home" } }, { autofill: true })
    expect(await field(page, "Email").getAttribute("autocomplete")).toBe("email webauthn")
    await addAuthenticator(page)
    await button(page, "Create a passkey").click()
    await field(page, "Email").fill(ada)
    await button(page, "Create a passkey").click()
    await page.waitForURL(`${site.origin}/home`)
    await page.context().clearCookies()
    // The autofill may leave before the page has loaded.
    await page.goto(site.origin, { waitUntil: "commit" })
    await page.waitForURL(`${site.origin}/home`)
  })

  test("a passkey that the user cancels is a message, and another method still works", async () => {
    const { page } = await opened({ stays: true })
    await addAuthenticator(page, { automaticPresenceSimulation: true, isUserVerified: false })
    await button(page, "Sign in with a passkey").click()
    await page.getByRole("alert").waitFor()
    await enterPassword(page, password)
    await page.locator("#who", { hasText: ada }).waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
  })

  test("another provider signs in and returns to where redirectTo says", async () => {
    const op = await listening(createProvider())
    const { site, page } = await opened({ props: { redirectTo: "/home" } }, { op })
    await button(page, "Sign in with Acme").click()
    await page.getByRole("button", { name: op.people.ada.name ?? "" }).click()
    await page.waitForURL(`${site.origin}/home`)
  })

  test("the keyboard alone signs in, and the focus follows", async () => {
    const { site, page } = await opened({ props: { redirectTo: "/home", methods: ["oidc", "credentials", "mail"] } })
    await button(page, "Sign in with Acme").waitFor()
    const stops: string[] = []
    for (const _ of "123456") {
      await page.keyboard.press("Tab")
      stops.push(
        await page.evaluate(`document.activeElement.name || document.activeElement.innerText.split("\\n").at(-1)`),
      )
    }
    expect(stops).toEqual([
      "Sign in with Acme",
      "email",
      "password",
      "Show password",
      "Sign in",
      "Sign in with email instead",
    ])
    await page.keyboard.press("Enter")
    expect(await focused(page).getAttribute("name")).toBe("email")
    await page.keyboard.press("Enter")
    await page.getByText("Fill in this field.").waitFor()
    await page.keyboard.type("ada")
    await page.keyboard.press("Enter")
    await page.getByText("Enter a valid email address.").waitFor()
    await page.keyboard.type("@example.test")
    await page.keyboard.press("Enter")
    await page.getByText("Check your email").waitFor()
    await page.keyboard.type(site.codes.at(-1) ?? "")
    await page.waitForURL(`${site.origin}/home`)
  })

  test("a password can be shown, and is hidden while it's sent", async () => {
    const { page } = await opened({ props: { methods: ["credentials"] } })
    const input = field(page, "Password")
    await field(page, "Email").fill(ada)
    await input.fill("wrong")
    const toggle = page.getByRole("button", { name: "Show password", pressed: false })
    await toggle.click()
    expect(await input.getAttribute("type")).toBe("text")
    await page.getByRole("button", { name: "Show password", pressed: true }).click()
    expect(await input.getAttribute("type")).toBe("password")
  })

  test("no step has a finding of axe, in both schemes and from right to left", async () => {
    const { page } = await opened({ props: { forgotPasswordUrl: "/forgot", createAccountUrl: "/new" } })
    await button(page, "Sign in with Acme").waitFor()
    expect(await findings(page)).toEqual([])
    await enterPassword(page, "wrong")
    await page.locator("[aria-invalid=true]").waitFor()
    expect(await findings(page)).toEqual([])
    await page.evaluate(
      `document.documentElement.className = "dark"; document.documentElement.dir = "rtl"; document.body.style.background = "#000"`,
    )
    expect(await findings(page)).toEqual([])
    await button(page, "Sign in with email instead").click()
    await button(page, "Email me a sign-in link").click()
    await page.getByText("Check your email").waitFor()
    await page.keyboard.type("000000")
    await page.locator("[aria-invalid=true]").waitFor()
    expect(await findings(page)).toEqual([])
  })

  test("an error in the URL of the page is shown, and nothing else of the URL", async () => {
    const { page } = await opened({}, {}, "/?error=AccessDenied&code=%3Cb%3EEVIL&callbackUrl=https://evil.test/")
    await page.getByRole("alert").waitFor()
    expect(await page.getByText("EVIL").count()).toBe(0)
    expect(await page.content()).not.toContain('evil.test/"')
  })

  test("a server that doesn't respond can be tried again", async () => {
    const site = await openSignInSite()
    site.between = ({ url }) => (url.includes("/auth/signin") ? new Response(null, { status: 503 }) : undefined)
    const { page } = await visit()
    await page.goto(site.origin)
    await page.getByRole("alert").waitFor()
    site.between = () => undefined
    await button(page, "Try again").click()
    await button(page, "Sign in with Acme").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
  })

  test("a redirect to a script is ignored", async () => {
    const { site, page } = await opened({ props: { methods: ["op"] } })
    site.between = ({ method }) =>
      method === "POST" ? Response.json({ status: "redirect", url: "javascript:document.title='EVIL'" }) : undefined
    await button(page, "Sign in with Acme").click()
    await page.locator("[data-pending]").waitFor()
    expect([await page.title(), new URL(page.url()).pathname]).toEqual(["Probe", "/"])
  })

  describe("rendered on a server", () => {
    /** A visit whose browser has the cookie of the CSRF token. */
    async function rendered(props: SignInSetup["props"], javaScriptEnabled: boolean) {
      const site = await openSignInSite()
      const { page, complaints } = await visit({ javaScriptEnabled })
      const answer = await page.request.get(`${site.origin}/auth/signin?callbackUrl=/home`, {
        headers: { accept: "application/json" },
      })
      const initial: MethodsStep = await answer.json()
      const setup = { props: { initial, ...props }, hydrate: true }
      site.show(setup)
      site.markup = renderToString(createElement(SignInPage, setup))
      await page.goto(site.origin)
      return { site, page, complaints }
    }

    test("the form works before JavaScript has loaded", async () => {
      const { site, page } = await rendered({ methods: ["credentials", "op"] }, false)
      await field(page, "Email").fill(ada)
      await field(page, "Password").fill(password)
      await button(page, "Sign in").click()
      await page.waitForURL(`${site.origin}/home`)
    })

    test("the page shows the same after JavaScript has loaded, and doesn't ask for the methods", async () => {
      const { site, page, complaints } = await rendered({ redirectTo: "/other" }, true)
      site.asked()
      await enterPassword(page, password)
      await page.waitForURL(`${site.origin}/other`)
      expect(site.asked()).not.toHaveProperty("GET /auth/signin")
      expect(complaints).toEqual([])
    })
  })
})

describe("SignIn on a server", () => {
  const methods: MethodsStep["methods"] = [
    {
      id: "github",
      type: "oauth",
      name: "GitHub",
      label: "Sign in with GitHub",
      instead: "",
      url: "/auth/signin/github",
      fields: [],
      logo: "data:image/svg+xml,x",
    },
    {
      id: "mail",
      type: "email",
      name: "Email",
      label: "Email me a link",
      instead: "Email me a link instead",
      url: "/auth/signin/mail",
      fields: [{ name: "email", label: "Email", type: "email", required: true }],
    },
    {
      id: "custom",
      type: "credentials",
      name: "Custom",
      label: "Sign in with Custom",
      instead: "",
      url: "/auth/callback/custom",
      fields: [],
    },
  ]
  const initial: MethodsStep = {
    status: "methods",
    app: "app.test",
    language: { tag: "en", direction: "ltr" },
    links: {},
    csrfToken: "t0ken",
    callbackUrl: "/home",
    methods,
  }
  const html = (props: SignInSetup["props"]) =>
    renderToString(createElement(SignInPage, { props: { initial, ...props } }))
  const order = (text: string) => [...text.matchAll(/action="([^"]*)"/g)].map(([, action]) => action)

  test("has forms with all that they need, and none for a method without fields", () => {
    const text = html({})
    expect(order(text)).toEqual(["/auth/signin/github", "/auth/signin/mail"])
    expect(text.match(/<input type="hidden" name="csrfToken" value="t0ken"\/>/g)).toHaveLength(2)
    expect(text.match(/<input type="hidden" name="callbackUrl" value="\/home"\/>/g)).toHaveLength(2)
    expect(text).toContain('src="data:image/svg+xml,x"')
  })

  test("offers the methods that the application names, in its order", () => {
    expect(order(html({ methods: ["email", "github"] }))).toEqual(["/auth/signin/mail", "/auth/signin/github"])
    expect(order(html({ methods: ["github"] }))).toEqual(["/auth/signin/github"])
    expect(html({ methods: [] })).toContain("No sign-in method is available.")
  })

  test("marks the method of the last time, and opens its form", () => {
    const second = {
      id: "second",
      type: "email",
      name: "Second",
      label: "Second",
      instead: "",
      url: "/auth/signin/second",
      fields: [],
    } as const
    const text = html({ initial: { ...initial, methods: [...methods, second], lastUsed: "second" } })
    expect(order(text)).toEqual(["/auth/signin/github", "/auth/signin/second"])
    expect(text).toMatch(/Second<\/span><span data-slot="badge"[^>]*>Last used/)
  })

  test("shows the error of the server", () => {
    const error = { code: "AccessDenied", message: "You can't sign in." }
    expect(html({ initial: { ...initial, error } })).toMatch(/role="alert"[^>]*>You can&#x27;t sign in.</)
  })

  test("without methods, has a fallback", () => {
    expect(html({ initial: undefined })).toContain("Loading…")
    expect(html({ initial: undefined, fallback: "One moment" })).toContain("One moment")
  })

  test("takes texts, classes, components and a heading of the application", () => {
    const text = html({
      texts: { or: "oder", title: "Anmelden" },
      className: "own",
      classNames: { input: "own-input", button: "own-button" },
      components: { Input: ({ name, className }) => createElement("input", { className, "data-own": true, name }) },
      heading: null,
    })
    expect(text).toContain(">oder<")
    expect(text).toContain('aria-label="Anmelden"')
    expect(text).not.toContain("<h1")
    expect(text).toContain('<input class="own-input" data-own="true" name="email"/>')
    expect(text).toMatch(/class="latchkey-button own-button"/)
    expect(text).toMatch(/class="latchkey latchkey-sign-in own"/)
  })
})
