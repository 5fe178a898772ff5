import type { FactorStep } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { expect, test } from "vitest"
import { addAuthenticator } from "../../../tests/browser/authenticator.js"
import { inChromium } from "../../../tests/browser/chromium.js"
import { listening } from "../../../tests/browser/host.js"
import { shoot } from "../../../tests/browser/looks.js"
import { findings } from "../../../tests/pages/audit.js"
import { pin } from "../../core/test/modules/factor-site.js"
import { Page as SignInPage, type SignInSetup } from "./pages/sign-in.js"
import { openSignInSite, type SignInChoices, type SignInSite } from "./sign-in-site.js"

const ada = "ada@example.test"
const password = "open sesame"
const home: SignInSetup = { props: { redirectTo: "/home" } }

/** Asks every user for the same PIN. */
const factor = pin({
  isRequired: () => true,
  form: () => ({
    title: "Enter your PIN",
    text: "It's on the back of your card.",
    fields: { pin: { label: "PIN", required: true, inputmode: "numeric", autocomplete: "one-time-code" } },
    submit: "Continue",
  }),
  verify: (_, __, { pin: typed }) => typed === "1234" || "The PIN is wrong.",
})

const key = "GEZDGNBVGY3TQOJQ"
const pixel = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

/** Has a button that asks for a code, and more than fields. */
const steps = pin({
  isRequired: () => true,
  form: () => ({
    title: "Set it up",
    blocks: [
      { kind: "text", text: "Scan this." },
      { kind: "image", src: pixel, alt: "The key" },
      { kind: "codes", codes: [key] },
    ],
    fields: { pin: { label: "PIN", required: true }, keep: { type: "checkbox", value: "yes", label: "Keep" } },
    submit: "Continue",
    actions: { send: "Send a code" },
  }),
  verify: (_, __, { action, keep }) => ({ title: `Asked to ${action ?? keep}`, fields: {}, submit: "Done" }),
})

/** Asks for a passkey of the user, or a PIN. */
const withPasskey = pin({
  isRequired: async ({ passkeys }, { user, method }) =>
    method !== "webauthn" && ((await passkeys?.of(user.id)) ?? []).length > 0,
  form: async ({ passkeys }, { user, held: purpose = "" }) => ({
    title: "Use a passkey, or enter your PIN",
    fields: { pin: { label: "PIN", required: true } },
    submit: "Continue",
    passkey: { label: "Use a passkey", options: (await passkeys?.ask({ userId: user.id, purpose })) ?? {} },
  }),
  async verify({ passkeys }, { user, held: purpose = "" }, { pin: typed, passkey }) {
    if (passkey === undefined) return typed === "1234" || "The PIN is wrong."
    return (await passkeys?.verify({ userId: user.id, purpose }, passkey)) == null ? "The passkey is wrong." : true
  },
})

inChromium("SignIn with a factor", (visit) => {
  interface Opened {
    readonly site: SignInSite
    readonly page: Page
    readonly complaints: string[]
  }

  async function opened(setup: SignInSetup = home, choices: SignInChoices = {}): Promise<Opened> {
    const site = await openSignInSite({ ...choices, config: { modules: [factor], ...choices.config } })
    site.show(setup)
    // Without transitions, axe measures the final colors.
    const { page, complaints } = await visit({ reducedMotion: "reduce" })
    await page.goto(site.origin)
    return { site, page, complaints }
  }

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
  const focused = (page: Page) => page.locator(":focus")
  const user = async (page: Page, { origin }: SignInSite) =>
    (await page.request.get(`${origin}/auth/session`)).json() as Promise<unknown>

  async function enterPassword(page: Page): Promise<void> {
    await button(page, "Sign in with a password instead").click()
    await field(page, "Email").fill(ada)
    await field(page, "Password").fill(password)
    await button(page, "Sign in").click()
  }

  async function answer(page: Page, typed = "1234"): Promise<void> {
    await page.getByRole("heading", { name: "Enter your PIN" }).waitFor()
    await field(page, "PIN").fill(typed)
    await button(page, "Continue").click()
  }

  test("a factor shows its blocks, and a button of it needs no field and leads to the next form", async () => {
    const { page, complaints } = await opened(home, { config: { modules: [steps] } })
    await enterPassword(page)
    await page.getByText("Scan this.").waitFor()
    expect(await page.getByAltText("The key").getAttribute("src")).toBe(pixel)
    await page.getByText(key).waitFor()
    await button(page, "Send a code").click()
    await page.getByRole("heading", { name: "Asked to send" }).waitFor()
    expect(complaints).toEqual([])
  })

  test("a box of a factor is sent if it's checked, and is as small as a box", async () => {
    const { page, complaints } = await opened(home, { config: { modules: [steps] } })
    await enterPassword(page)
    await field(page, "PIN").fill("1")
    await field(page, "Keep").check()
    expect((await field(page, "Keep").boundingBox())?.width).toBeLessThan(30)
    await button(page, "Continue").click()
    await page.getByRole("heading", { name: "Asked to yes" }).waitFor()
    expect(complaints).toEqual([])
  })

  test("after a password, a wrong answer is shown at its field, and the right one signs in", async () => {
    const { site, page, complaints } = await opened()
    await enterPassword(page)
    await page.getByText("It's on the back of your card.").waitFor()
    await expect.poll(async () => focused(page).getAttribute("name")).toBe("pin")
    expect(await field(page, "PIN").getAttribute("autocomplete")).toBe("one-time-code")
    expect(await field(page, "PIN").getAttribute("inputmode")).toBe("numeric")
    expect(await field(page, "PIN").inputValue()).toBe("")
    expect(await user(page, site)).toBeNull()
    await page.keyboard.type("0000")
    await page.keyboard.press("Enter")
    await page.getByText("The PIN is wrong.").waitFor()
    expect(await focused(page).getAttribute("aria-describedby")).toBe(
      await page.locator("[data-slot=field-error]").getAttribute("id"),
    )
    // Chromium logs the status of the refusal.
    expect(complaints.splice(0)).toEqual([expect.stringContaining("401")])
    await page.keyboard.type("1234")
    await page.keyboard.press("Enter")
    await page.waitForURL(`${site.origin}/home`)
    expect(await user(page, site)).toMatchObject({ user: { email: ada } })
    expect(complaints).toEqual([])
  })

  test("asks after the code of an email, and with onSuccess, the page stays", async () => {
    const { site, page } = await opened({ ...home, stays: true })
    await field(page, "Email").fill(ada)
    await button(page, "Email me a sign-in link").click()
    await page.getByText("Check your email").waitFor()
    await page.keyboard.type(site.codes.at(-1) ?? "")
    await answer(page)
    await page.locator("#who", { hasText: ada }).waitFor()
    expect(new URL(await page.title()).pathname).toBe("/home")
  })

  test("asks after a new passkey, and after the same one later", async () => {
    const { site, page } = await opened(home, { config: { security: { passkeySignUp: true } } })
    await addAuthenticator(page)
    await button(page, "Create a passkey").click()
    await field(page, "Email").fill(ada)
    await button(page, "Create a passkey").click()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
    await page.context().clearCookies()
    await page.goto(site.origin)
    await button(page, "Sign in with a passkey").click()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
  })

  test("a passkey in the autofill leads to the factor too, and is offered again after the user cancels", async () => {
    const { site, page } = await opened(home, { autofill: true, config: { security: { passkeySignUp: true } } })
    await addAuthenticator(page)
    await button(page, "Create a passkey").click()
    await field(page, "Email").fill(ada)
    await button(page, "Create a passkey").click()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
    await page.context().clearCookies()
    await page.goto(site.origin)
    await button(page, "Cancel").waitFor()
    const offered = page.waitForResponse((response) => response.url().endsWith("/auth/callback/passkey"))
    await button(page, "Cancel").click()
    await offered
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
  })

  test("a passkey answers, and a user who has none at hand stays at the step", async () => {
    const { site, page } = await opened(home, { config: { modules: [withPasskey], security: { passkeySignUp: true } } })
    const { session, authenticatorId } = await addAuthenticator(page)
    await button(page, "Create a passkey").click()
    await field(page, "Email").fill(ada)
    await button(page, "Create a passkey").click()
    await page.waitForURL(`${site.origin}/home`)
    const again = async () => {
      await page.context().clearCookies()
      await page.goto(site.origin)
      await enterPassword(page)
    }
    await again()
    await button(page, "Use a passkey").click()
    await page.waitForURL(`${site.origin}/home`)
    expect(await user(page, site)).toMatchObject({ user: { email: ada } })
    await again()
    await session.send("WebAuthn.clearCredentials", { authenticatorId })
    await button(page, "Use a passkey").click()
    await page.getByRole("alert").filter({ hasText: "no passkey for this site" }).waitFor()
    await field(page, "PIN").fill("1234")
    await button(page, "Continue").click()
    await page.waitForURL(`${site.origin}/home`)
  })

  test("asks on the built-in page after another provider", async () => {
    const op = await listening(createProvider())
    const { site, page } = await opened(home, { op })
    await button(page, "Sign in with Acme").click()
    await page.getByRole("button", { name: op.people.ada.name ?? "" }).click()
    await page.waitForURL(`${site.origin}/auth/factor`)
    await answer(page, "0000")
    await page.getByRole("alert").filter({ hasText: "The PIN is wrong." }).waitFor()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
  })

  test("the user can cancel, and sign in again", async () => {
    const { site, page } = await opened()
    await enterPassword(page)
    await button(page, "Cancel").click()
    await button(page, "Sign in with Acme").waitFor()
    await field(page, "Password").fill(password)
    await button(page, "Sign in").click()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
  })

  test("after five wrong answers, the methods are back, and say why", async () => {
    const { page } = await opened()
    await enterPassword(page)
    for (const typed of ["1", "2", "3", "4", "5"]) {
      await answer(page, typed)
      await page.locator("[aria-busy=false] [aria-invalid=true]").waitFor()
    }
    await answer(page)
    await button(page, "Sign in with Acme").waitFor()
    expect(await page.getByRole("alert").count()).toBe(1)
  })

  test("a lost connection is shown, and the answer can be sent again", async () => {
    const { site, page } = await opened()
    await enterPassword(page)
    await field(page, "PIN").waitFor()
    site.between = ({ url }) => (url.includes("/auth/factor") ? new Response(null, { status: 502 }) : undefined)
    await answer(page)
    await page.getByRole("alert").waitFor()
    site.between = () => undefined
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
  })

  test("with `resume`, a page continues what waits, and shows the methods if nothing does", async () => {
    const { site, page } = await opened({ props: { ...home.props, resume: true } })
    await page.getByRole("alert").waitFor()
    await enterPassword(page)
    await field(page, "PIN").waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Enter your PIN" }).waitFor()
    expect(await focused(page).getAttribute("name")).toBe("pin")
    await button(page, "Cancel").click()
    await button(page, "Sign in with Acme").waitFor()
    await page.reload()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
  })

  test("has no finding of axe, in both schemes and from right to left", async () => {
    const { page } = await opened()
    await enterPassword(page)
    await field(page, "PIN").waitFor()
    expect(await findings(page)).toEqual([])
    await shoot(page, "react-factor")
    await answer(page, "0000")
    await page.getByText("The PIN is wrong.").waitFor()
    await shoot(page, "react-factor-wrong")
    await page.evaluate(`document.documentElement.className = "dark"; document.body.style.background = "#000"`)
    await shoot(page, "react-factor-dark")
    await page.evaluate(`document.documentElement.dir = "rtl"`)
    expect(await findings(page)).toEqual([])
    await shoot(page, "react-factor-dark-rtl")
  })

  test("without JavaScript, a form posts, and the built-in page asks", async () => {
    const site = await openSignInSite({ config: { modules: [factor] } })
    const { page } = await visit({ javaScriptEnabled: false })
    const headers = { accept: "application/json" }
    const initial = await (await page.request.get(`${site.origin}/auth/signin?callbackUrl=/home`, { headers })).json()
    site.markup = renderToString(createElement(SignInPage, { props: { initial, methods: ["credentials"] } }))
    await page.goto(site.origin)
    await field(page, "Email").fill(ada)
    await field(page, "Password").fill(password)
    await button(page, "Sign in").click()
    await page.waitForURL(`${site.origin}/auth/factor`)
    expect(await user(page, site)).toBeNull()
    await shoot(page, "built-in-factor")
    await answer(page, "0000")
    await page.getByText("The PIN is wrong.").waitFor()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
    expect(await user(page, site)).toMatchObject({ user: { email: ada } })
  })

  test("without JavaScript, a page of `pages.factor` that a server rendered asks", async () => {
    const site = await openSignInSite({ config: { modules: [factor], pages: { factor: "/pin" } } })
    const { page } = await visit({ javaScriptEnabled: false })
    await page.goto(`${site.origin}/auth/signin?callbackUrl=/home`)
    await page.locator("summary", { hasText: "password" }).click()
    const form = page.locator("form", { has: page.getByLabel("Password") })
    await form.getByLabel("Email").fill(ada)
    await form.getByLabel("Password").fill(password)
    await form.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(`${site.origin}/pin`)
    const headers = { accept: "application/json" }
    const initial: FactorStep = await (await page.request.get(`${site.origin}/auth/factor`, { headers })).json()
    site.markup = renderToString(createElement(SignInPage, { props: { initial } }))
    await page.reload()
    await answer(page)
    await page.waitForURL(`${site.origin}/home`)
  })
})
