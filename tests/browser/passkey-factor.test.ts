import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { mfa } from "../../packages/mfa/src/index.js"
import { findings } from "../pages/audit.js"
import { addAuthenticator, type Authenticator } from "./authenticator.js"
import { inChromium } from "./chromium.js"
import { createPasskey, openPasskeySite, type PasskeySite, signInWithPassword, who } from "./passkey-site.js"

const email = "ada@people.test"
const usePasskey = { name: "Use a passkey", exact: true } as const

/** Ada's passkey becomes her second step. She is signed out then, and has these recovery codes. */
async function choosePasskey(page: Page, site: PasskeySite): Promise<readonly string[]> {
  await signInWithPassword(page, site, "ada")
  await createPasskey(page, site, email)
  await who(page, site)
  await page.context().clearCookies()
  await enterPassword(page, site, "/auth/account")
  await page.getByRole("button", { name: "Use a passkey as the second step" }).click()
  expect(await findings(page)).toEqual([])
  await page.getByRole("button", usePasskey).click()
  await page.getByRole("heading", { name: "Two-step verification is on" }).waitFor()
  const recovery = await page.locator("li").allInnerTexts()
  expect(recovery).toHaveLength(10)
  await page.context().clearCookies()
  return recovery
}

/** With a second step, the browser stops at the page that asks for it. */
async function enterPassword(page: Page, { origin }: PasskeySite, to = "/"): Promise<void> {
  await page.goto(`${origin}/auth/signin?callbackUrl=${to}`)
  await page.getByLabel("Name").fill("ada")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

async function forgetAll({ session, authenticatorId }: Authenticator): Promise<void> {
  await session.send("WebAuthn.clearCredentials", { authenticatorId })
}

inChromium("a passkey as the second step", (visit) => {
  const open = async () => openPasskeySite(memoryAdapter(), { modules: [mfa()] })

  test("is chosen on the account page, and answers after the password", async () => {
    const site = await open()
    const { page, complaints } = await visit()
    await addAuthenticator(page)
    await choosePasskey(page, site)
    await enterPassword(page, site)
    expect(await findings(page)).toEqual([])
    await page.getByRole("button", usePasskey).click()
    expect(await who(page, site)).toBe(email)
    await page.goto(`${site.origin}/auth/mfa/verify?to=/`)
    await page.getByRole("button", usePasskey).click()
    expect(await who(page, site)).toBe(email)
    expect(complaints).toEqual([])
  })

  test("that isn't at hand gives way to a recovery code on the same page", async () => {
    const site = await open()
    const { page } = await visit()
    const authenticator = await addAuthenticator(page)
    const [recovery = ""] = await choosePasskey(page, site)
    await forgetAll(authenticator)
    await enterPassword(page, site)
    await page.getByRole("button", usePasskey).click()
    await expect.poll(async () => page.locator("form [role=alert]").innerText()).toContain("no passkey for this site")
    await page.getByLabel("Code").fill(recovery)
    await page.getByRole("button", { name: "Continue" }).click()
    expect(await who(page, site)).toBe(email)
  })

  test("has no button without JavaScript, where a recovery code signs in", async () => {
    const site = await open()
    const { page } = await visit()
    await addAuthenticator(page)
    const [recovery = ""] = await choosePasskey(page, site)
    const { page: plain } = await visit({ javaScriptEnabled: false })
    await enterPassword(plain, site)
    expect(await plain.getByRole("button", usePasskey).count()).toBe(0)
    await plain.getByLabel("Code").fill(recovery)
    await plain.getByRole("button", { name: "Continue" }).click()
    expect(await who(plain, site)).toBe(email)
  })
})
