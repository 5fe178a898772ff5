import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import type { ProfileChanges } from "@latchkey/core/types"
import { type Browser, createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { factorSite } from "../modules/factor-site.js"
import { sessionKinds } from "./behaviors.js"
import { site, type SiteOptions } from "./setup.js"

/** Ada is signed in. */
async function signedIn(options: SiteOptions = {}) {
  const store = memoryAdapter()
  const its = await site<Adapter>(store, options)
  await its.browser.signInWith(its.first, { as: "ada" })
  const row = () => store.rows().users.find(({ email }) => email === "ada@example.test")
  return { ...its, store, row }
}

/** Submits the form of the page that has this field, as a user without JavaScript does. */
async function save(browser: Browser, field: "name" | "image", value: string): Promise<void> {
  await browser.get("/auth/account")
  const isOwn = ({ fields }: Browser["forms"][number]) => fields["action"] === "update-profile" && field in fields
  await browser.submitForm(browser.forms.findIndex(isOwn), { [field]: value })
}

async function userOf(browser: Browser): Promise<unknown> {
  const { user } = ((await browser.session()) ?? {}) as { readonly user?: object }
  return user
}

describe.each(sessionKinds)("with %s", (_, kind) => {
  test("a user changes the name and the image, and the session shows them at once", async () => {
    const { browser, row } = await signedIn(kind)
    await save(browser, "name", "  Ada\n King ")
    expect(browser.text).toContain("Your changes are saved.")
    expect(await userOf(browser)).toMatchObject({ name: "Ada King", email: "ada@example.test" })
    await save(browser, "image", "https://images.example/ada.png")
    const changed = { name: "Ada King", image: "https://images.example/ada.png" }
    expect(row()).toMatchObject(changed)
    expect(await userOf(browser)).toMatchObject(changed)
    expect(browser.text).toContain('<img class="avatar" src="https://images.example/ada.png"')
    expect(browser.response.headers.get("content-security-policy")).toContain(
      "img-src 'self' data: https://images.example",
    )
    await save(browser, "image", "")
    expect(JSON.stringify(row())).not.toContain("images.example")
    expect(await userOf(browser)).not.toMatchObject({ image: expect.any(String) })
  })
})

test("it needs no recent sign-in", async () => {
  const { account, clock, row } = await signedIn()
  clock.advance({ hours: 3 })
  await account().updateProfile({ name: "Ada King" })
  expect(row()).toMatchObject({ name: "Ada King" })
})

test("the event has what changed, and there is none if nothing did", async () => {
  const heard: unknown[] = []
  const { account } = await signedIn({
    events: { updateProfile: ({ user, changes }) => void heard.push([user.name, changes]) },
  })
  await account().updateProfile({ name: "Ada Lovelace" })
  expect(heard).toEqual([])
  await account().updateProfile({ name: "Ada King" })
  expect(heard).toEqual([["Ada King", { name: "Ada King" }]])
})

test("the jwt callback gets the change as an update, and a claim that it chose stays", async () => {
  const updates: unknown[] = []
  const { account, browser } = await signedIn({
    session: { strategy: "jwt" },
    callbacks: {
      jwt({ token, trigger, session }) {
        if (trigger === "update") updates.push(session)
        return { ...token, name: "A. L." }
      },
    },
  })
  await account().updateProfile({ name: "Ada King", image: "https://images.example/ada.png" })
  expect(updates).toEqual([{ user: { name: "Ada King", image: "https://images.example/ada.png" } }])
  expect(await userOf(browser)).toMatchObject({ name: "A. L." })
})

describe("the updateProfile callback", () => {
  test("may store something else", async () => {
    const { account, row } = await signedIn({
      callbacks: { updateProfile: ({ changes }) => ({ ...changes, name: changes.name?.toUpperCase() ?? null }) },
    })
    await account().updateProfile({ name: "Ada King" })
    expect(row()).toMatchObject({ name: "ADA KING" })
  })

  test("may refuse, and the page says it beside the field", async () => {
    const { browser, row } = await signedIn({
      callbacks: { updateProfile: ({ changes }) => !/admin/i.test(changes.name ?? "") && changes },
    })
    await save(browser, "name", "Admin")
    expect(row()).toMatchObject({ name: "Ada Lovelace" })
    expect(browser.text).toMatch(/<details open>.{0,600}aria-describedby="profile-name-error"/s)
    expect(browser.text).toContain('<p id="profile-name-error">This name or picture can&#39;t be used.')
  })

  test("can be false, and then the page has no form for it", async () => {
    const { account, browser } = await signedIn({ callbacks: { updateProfile: false } })
    await browser.get("/auth/account")
    expect(browser.text).not.toContain("update-profile")
    await expect(account().updateProfile({ name: "Eve" })).rejects.toMatchObject({ type: "InvalidProfile" })
  })
})

test("with an adapter without updateUser, the page has no form and no excuse", async () => {
  const { updateUser: _, ...adapter } = memoryAdapter()
  const { account, browser, first } = await site<Adapter>(adapter)
  await browser.signInWith(first, { as: "ada" })
  await browser.get("/auth/account")
  expect(browser.text).toContain("Ada Lovelace")
  expect(browser.text).not.toContain("update-profile")
  expect(browser.text).not.toMatch(/database|adapter/)
  await expect(account().updateProfile({ name: "Eve" })).rejects.toMatchObject({ type: "UnsupportedByAdapter" })
})

describe("attacks", () => {
  test.each([
    "javascript:alert(1)",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "http://images.example/ada.png",
    "//images.example/ada.png",
    "/relative.png",
    "https://localhost/ada.png",
    "https://127.0.0.1/latest/meta-data",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://router.local./",
    "https://intranet/logo.png",
    "https://images.example:8443/ada.png",
    "https://root:secret@images.example/ada.png",
    "file:///etc/passwd",
    "blob:https://app.test/1",
    `https://images.example/${"a".repeat(2048)}`,
    `https://images.example/${"ä".repeat(700)}`,
  ])("the image %s is refused", async (image) => {
    const { account, browser, row } = await signedIn()
    const before = row()
    await expect(account().updateProfile({ image })).rejects.toMatchObject({ type: "InvalidProfile" })
    await save(browser, "image", image)
    expect(browser.text).toContain('<p id="profile-image-error">')
    expect(row()).toEqual(before)
  })

  test("a name with HTML is text, without controls and marks that turn the text around", async () => {
    const { browser, row } = await signedIn()
    await save(browser, "name", '<img src=x onerror=alert(1)>"\u202Egnp\u0000')
    expect(row()).toMatchObject({ name: '<img src=x onerror=alert(1)>" gnp' })
    expect(browser.text).not.toContain("<img src=x")
    expect(browser.text).toContain("&lt;img src=x onerror=alert(1)&gt;")
  })

  test("a name of a megabyte is refused as a form, and cut off by the function", async () => {
    const { account, browser, row } = await signedIn()
    const csrfToken = (await browser.csrf()) ?? ""
    const fields = { csrfToken, action: "update-profile", name: "a".repeat(1_000_000) }
    expect((await browser.post("/auth/account", fields)).status).toBe(413)
    expect(row()).toMatchObject({ name: "Ada Lovelace" })
    await account().updateProfile({ name: "😀".repeat(1_000_000) })
    expect(row()).toMatchObject({ name: "😀".repeat(100) })
  })

  test("no field of the form names another user or another column", async () => {
    const { browser, first, phone, store } = await signedIn()
    const other = await phone()
    await other.signInWith(first, { as: "grace" })
    const grace = () => store.rows().users.find(({ email }) => email === "grace@example.test")
    const before = grace()
    const csrfToken = (await browser.csrf()) ?? ""
    const forged = { id: before?.id ?? "", userId: before?.id ?? "", email: "eve@evil.test", emailVerified: "now" }
    await browser.post("/auth/account", { csrfToken, action: "update-profile", name: "Eve", ...forged })
    expect(grace()).toEqual(before)
    expect(store.rows().users.map(({ name, email }) => `${name} ${email}`)).toEqual([
      "Eve ada@example.test",
      expect.stringContaining("grace@example.test"),
    ])
  })

  test("the function takes nothing but a name and an image from its caller", async () => {
    const { account, row } = await signedIn()
    const given = { name: "Ada King", email: "eve@evil.test", id: "2" } as ProfileChanges
    await account().updateProfile(given)
    expect(row()).toMatchObject({ name: "Ada King", email: "ada@example.test" })
  })

  test("a form without the token, or of another site, changes nothing (CSRF)", async () => {
    const { browser, row } = await signedIn()
    await browser.post("/auth/account", { action: "update-profile", name: "Eve" })
    expect(new URL(browser.location).searchParams.get("error")).toBe("MissingCSRF")
    const csrfToken = (await browser.csrf()) ?? ""
    const fields = { csrfToken, action: "update-profile", name: "Eve" }
    await browser.post("/auth/account", fields, { from: "https://evil.test/" })
    expect(row()).toMatchObject({ name: "Ada Lovelace" })
  })

  test("a visitor changes nothing", async () => {
    const { account, browser, row } = await signedIn()
    const visitor = browser.fresh()
    await expect(account(visitor).updateProfile({ name: "Eve" })).rejects.toMatchObject({ type: "SessionRequired" })
    expect(row()).toMatchObject({ name: "Ada Lovelace" })
  })

  test("an image that the provider set stays if only the name changes", async () => {
    const { account, store, row } = await signedIn()
    const image = `data:image/png;base64,${"A".repeat(5000)}`
    await store.updateUser({ id: row()?.id ?? "", image })
    await account().updateProfile({ name: "Ada King", image })
    expect(row()).toMatchObject({ name: "Ada King", image })
  })
})

test("a passkey needs no name of the user", async () => {
  const { account, browser } = await signedIn()
  await account().updateProfile({ name: "" })
  await browser.registerPasskey(createAuthenticator())
  expect((await account().overview()).user.name).toBeUndefined()
})

test("a sign-in that waits for its second factor changes nothing", async () => {
  const { browser, signIn, store } = await factorSite()
  await signIn("oidc")
  expect(new URL(browser.location).pathname).toBe("/auth/factor")
  const before = JSON.stringify(store.rows().users)
  const csrfToken = (await browser.csrf()) ?? ""
  await browser.post("/auth/account", { csrfToken, action: "update-profile", name: "Eve" })
  expect(new URL(browser.location).pathname).toBe("/auth/signin")
  expect(JSON.stringify(store.rows().users)).toBe(before)
})
