import { SessionProvider } from "@latchkey/react"
import { SignedIn, SignedOut, type SignedInProps, UserButton } from "@latchkey/react/components"
import type { Session } from "@latchkey/core/types"
import { createElement, type ReactElement } from "react"
import { renderToString } from "react-dom/server"
import { describe, expect, test } from "vitest"
import { inChromium, signIn } from "../../../tests/browser/chromium.js"
import { type Major, openSite, type Site } from "./site.js"

const ada: Session = { user: { name: "Ada Lovelace", email: "ada@example.test" }, expires: "2999-01-01T00:00:00.000Z" }

function rendered(session: Session | null | undefined, ...children: readonly ReactElement[]): string {
  return renderToString(createElement(SessionProvider, { session, basePath: "/auth" }, ...children))
}

describe("on a server", () => {
  const greeting: SignedInProps = { children: ({ user }) => `Hello ${user?.name}`, fallback: "Loading" }
  const views = [
    createElement(SignedIn<Session>, greeting),
    createElement(SignedOut, { fallback: "Loading too" }, "Please sign in"),
  ]

  test.each([
    [ada, "Hello Ada Lovelace"],
    [null, "Please sign in"],
    [undefined, "LoadingLoading too"],
  ])("SignedIn and SignedOut show what fits the session", (session, text) => {
    expect(rendered(session, ...views).replaceAll("<!-- -->", "")).toBe(text)
  })

  test("UserButton shows nothing to a visitor, and its fallback while the session isn't known", () => {
    const button = createElement(UserButton, { fallback: "Loading" })
    expect(rendered(null, button)).toBe("")
    expect(rendered(undefined, button)).toBe("Loading")
  })

  test.each([
    ["Ada Lovelace", "ada@example.test", "AL"],
    ["Ada King of Lovelace", null, "AL"],
    ["ada", null, "A"],
    ["Émile (Zola)", null, "É"],
    ["李白", null, "李"],
    ["𝒜da 🎈", null, "𝒜"],
    [null, "ada@example.test", "A"],
    ["", "ada@example.test", "A"],
  ])("UserButton shows the initials of %j and %j", (name, email, initials) => {
    const html = rendered({ ...ada, user: { name, email } }, createElement(UserButton))
    expect(/data-slot="avatar-fallback"[^>]*>([^<]*)/.exec(html)?.[1]).toBe(initials)
  })

  test("UserButton has an icon for a user without a name and an email", () => {
    expect(rendered({ ...ada, user: {} }, createElement(UserButton))).toContain("<svg")
  })

  test("UserButton takes texts, classes, components and URLs of the application", () => {
    const html = rendered(
      ada,
      createElement(UserButton, {
        accountUrl: "/settings",
        className: "own",
        classNames: { trigger: "own-trigger", item: "own-item" },
        texts: { trigger: "Konto von {user}", signOut: "Abmelden" },
        components: { Link: ({ href, children }) => createElement("a", { href, rel: "own" }, children) },
      }),
    )
    expect(html).toContain('aria-label="Konto von Ada Lovelace"')
    expect(html).toContain('<a href="/settings" rel="own">Account</a>')
    expect(html).toMatch(/class="[^"]* own-trigger"/)
    expect(html).toMatch(/class="[^"]* own-item"[^>]*>Abmelden</)
    expect(rendered(ada, createElement(UserButton, { accountUrl: null }))).not.toContain("<a ")
  })
})

inChromium("components of the session", (visit) => {
  async function opened(
    react: Major,
    path = "/",
  ): Promise<{ site: Site; page: Awaited<ReturnType<typeof visit>>["page"]; complaints: string[] }> {
    const site = await openSite({ react, script: "components" })
    const { page, complaints } = await visit()
    await page.goto(site.origin + path)
    return { site, page, complaints }
  }

  test.each([18, 19] as const)("with React %d, a visitor signs in, and the user signs out", async (react) => {
    const { site, page, complaints } = await opened(react)
    await page.getByText("visitor").waitFor()
    expect(await page.getByRole("button", { name: "Account of" }).count()).toBe(0)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(/\/auth\/signin\?callbackUrl=/)
    expect(new URL(page.url()).searchParams.get("callbackUrl")).toBe("/next")
    await signIn(page, site.origin)
    await page.locator("#who", { hasText: "ada" }).waitFor()
    await page.getByRole("button", { name: "Leave" }).click()
    await page.waitForURL(`${site.origin}/bye`)
    await page.getByText("visitor").waitFor()
    expect(complaints).toEqual([])
  })

  test("the keyboard opens and closes the menu of the user, and signs out", async () => {
    const { site, page } = await opened(19)
    await signIn(page, site.origin)
    const trigger = page.getByRole("button", { name: "Account of ada", expanded: false })
    await trigger.focus()
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Account of ada", expanded: true }).waitFor()
    await page.keyboard.press("Tab")
    const focused = page.locator(":focus")
    expect(await focused.getAttribute("href")).toBe("/auth/account")
    await page.keyboard.press("Tab")
    expect(await focused.innerText()).toBe("Orders")
    await page.keyboard.press("Escape")
    await trigger.waitFor()
    expect(await focused.getAttribute("aria-label")).toBe("Account of ada")
    expect(await page.getByText("Orders").isVisible()).toBe(false)
    await page.keyboard.press("Space")
    for (const _ of "123") await page.keyboard.press("Tab")
    expect(await focused.innerText()).toBe("Sign out")
    await page.keyboard.press("Enter")
    await page.getByText("visitor").waitFor()
  })

  test("the menu closes when the user presses outside or moves the focus out of it", async () => {
    const { site, page } = await opened(19)
    await signIn(page, site.origin)
    const open = page.getByRole("button", { name: "Account of ada", expanded: true })
    const closed = page.getByRole("button", { name: "Account of ada", expanded: false })
    await closed.click()
    await open.waitFor()
    await page.getByRole("heading", { name: "Page" }).click()
    await closed.click()
    await open.waitFor()
    await page.getByRole("button", { name: "Leave" }).focus()
    await closed.waitFor()
  })

  test("a broken image is replaced by the initials", async () => {
    const { site, page } = await opened(19)
    site.setup = { props: { session: { ...ada, user: { ...ada.user, image: "/auth/none.png" } } } }
    await page.goto(site.origin)
    await page.locator("[data-slot=avatar-fallback]", { hasText: "AL" }).waitFor()
  })
})
