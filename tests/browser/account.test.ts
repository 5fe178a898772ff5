import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { AccountEmail, EmailConfig } from "@latchkey/core/types"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer, type Server } from "@latchkey/core/server"
import { captureLog, createProvider } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { addAuthenticator } from "./authenticator.js"
import { inChromium } from "./chromium.js"
import { shoot } from "./looks.js"
import { listening } from "./host.js"
import { serve, type Web } from "./web.js"

interface AccountSite extends Web {
  readonly emails: readonly AccountEmail[]
}

/** A site with two providers, passkeys and email. */
async function openSite(): Promise<AccountSite> {
  const emails: AccountEmail[] = []
  const [first, second] = [createProvider({ id: "acme" }), createProvider({ id: "globex" })]
  for (const each of [first, second]) await listening(each)
  const email: EmailConfig = {
    id: "mail",
    name: "Email",
    type: "email",
    sendVerificationRequest: () => undefined,
    sendAccountEmail: (message) => void emails.push(message),
  }
  let auth: Server | undefined
  const web = await serve((request) => auth?.handle(request) ?? new Response(null, { status: 503 }), "localhost")
  auth = createServer({
    secret: strongSecret,
    url: `${web.origin}/auth`,
    adapter: memoryAdapter(),
    experimental: { enableWebAuthn: true },
    logger: captureLog().logger,
    providers: [
      first.provider({ name: "Acme" }),
      second.provider({ name: "Globex" }),
      Passkey({ enableConditionalUI: false }),
      email,
    ],
  })
  return { ...web, emails }
}

/** The page of the provider asks who signs in. */
async function consent(page: Page): Promise<void> {
  await page.getByRole("button", { name: /ada/i }).click()
}

async function signInAtAcme(page: Page, { origin }: AccountSite): Promise<void> {
  // The account page shows the picture of the user.
  const picture = { contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
  await page.route("https://op.test/pictures/*", async (route) => route.fulfill(picture))
  await page.goto(`${origin}/auth/account`)
  await page.getByRole("button", { name: "Acme" }).click()
  await consent(page)
  await page.waitForURL(`${origin}/auth/account`)
}

function sectionOf(page: Page, name: string) {
  return page.getByRole("region", { name })
}

async function changeAccount(page: Page, { origin, emails }: AccountSite): Promise<void> {
  const accounts = sectionOf(page, "Connected accounts")
  await accounts.getByRole("button", { name: "Connect Globex" }).click()
  await consent(page)
  await page.waitForURL(`${origin}/auth/account`)
  await accounts.getByRole("listitem").filter({ hasText: "Globex" }).getByText("Disconnect", { exact: true }).click()
  await accounts.getByRole("button", { name: "Disconnect Globex" }).click()
  await page.getByText("The account is disconnected.").waitFor()
  await sectionOf(page, "Profile").getByText("Change email").first().click()
  await page.getByLabel("New email").fill("ada@new.test")
  await sectionOf(page, "Profile").getByRole("button", { name: "Change email" }).click()
  await page.getByText("open the link that we sent to ada@new.test").waitFor()
  await page.goto(emails.at(-1)?.url ?? "")
  await page.getByRole("button", { name: "Confirm email" }).click()
  await page.getByText("Your email is changed.").waitFor()
  await sectionOf(page, "Delete account").locator("summary").click()
  await page.getByLabel("To confirm, type").fill("ada@new.test")
  await page.getByRole("button", { name: "Delete account" }).click()
  await page.getByText("Your account is deleted.").waitFor()
}

inChromium("the account page", (visit) => {
  test("without JavaScript, a user changes everything but adding a passkey", async () => {
    const site = await openSite()
    const { page, complaints } = await visit({ javaScriptEnabled: false })
    await signInAtAcme(page, site)
    expect(await sectionOf(page, "Passkeys").innerText()).toContain("This needs JavaScript.")
    await changeAccount(page, site)
    expect(complaints).toEqual([])
  })

  test("with JavaScript, a user also adds, names and removes a passkey", async () => {
    const site = await openSite()
    const { page, complaints } = await visit()
    await addAuthenticator(page)
    await signInAtAcme(page, site)
    const passkeys = sectionOf(page, "Passkeys")
    await passkeys.getByRole("button", { name: "Add a passkey" }).click()
    await passkeys.getByText("Rename").click()
    await passkeys.getByLabel("Name of the passkey").fill("Laptop")
    await passkeys.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your changes are saved.").waitFor()
    expect(await passkeys.innerText()).toContain("Laptop")
    await shoot(page, "account")
    await passkeys.getByText("Remove", { exact: true }).first().click()
    await passkeys.getByRole("button", { name: "Remove" }).click()
    await page.getByText("The passkey is removed.").waitFor()
    await changeAccount(page, site)
    expect(complaints).toEqual([])
  })
})
