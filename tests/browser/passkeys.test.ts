import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Adapter } from "@latchkey/core/adapters"
import Passkey from "@latchkey/core/providers/passkey"
import WebAuthn from "@latchkey/core/providers/webauthn"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import type { Page } from "playwright-core"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { newDatabase } from "../../packages/sql/test/databases.js"
import { stores as published } from "../interop/stores.js"
import { addAuthenticator, type Authenticator, recordRequests, setPresence } from "./authenticator.js"
import { inChromium } from "./chromium.js"
import { shoot } from "./looks.js"
import {
  createPasskey,
  openPasskeySite,
  openSignIn,
  type PasskeySite,
  signInWithPasskey,
  signInWithPassword,
  signOut,
  who,
} from "./passkey-site.js"

interface Store {
  readonly store: string
  readonly isMissing?: boolean
  open(): Promise<Adapter>
}

const stores: readonly Store[] = [
  { store: "memory", open: async () => memoryAdapter() },
  { store: "SQLite", open: () => migrated(sqlite(":memory:")) },
  {
    store: "PostgreSQL",
    isMissing: inject("postgres") === undefined,
    open: async () => migrated(postgres(await newDatabase("passkeys"))),
  },
  ...published.filter(({ hasPasskeys }) => hasPasskeys).map(({ name, open }) => ({ store: name, open })),
]

async function migrated(adapter: ReturnType<typeof sqlite>): Promise<Adapter> {
  onTestFinished(() => adapter.close())
  await adapter.migrate()
  return adapter
}

type Credential = Awaited<ReturnType<typeof stolenFrom>>[number]

/** The credentials that an authenticator has. */
async function stolenFrom({ session, authenticatorId }: Authenticator) {
  return (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials
}

/** Replaces the authenticator of a page by one with this credential, or by an empty one. */
async function replace(page: Page, old: Authenticator, credential?: Credential): Promise<Authenticator> {
  await old.session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: old.authenticatorId })
  const added = await addAuthenticator(page)
  const { session, authenticatorId } = added
  if (credential !== undefined) await session.send("WebAuthn.addCredential", { authenticatorId, credential })
  return added
}

async function passkeysOf({ adapter }: PasskeySite, email: string) {
  const user = await adapter.getUserByEmail?.(email)
  return (await adapter.listAuthenticatorsByUserId?.(user?.id ?? "")) ?? []
}

const email = "ada@people.test"
const alert = (page: Page) => page.locator("form[data-passkey] [role=alert]")
/** Chromium reports an error page as an error. */
const exceptStatus = (complaints: readonly string[]) => complaints.filter((text) => !/status of 4\d\d/.test(text))

inChromium("passkeys", (visit) => {
  describe.each(stores)("in $store", ({ isMissing, open }) => {
    test.skipIf(isMissing)("sign a user up and in, and stay on this site", async () => {
      const site = await openPasskeySite(await open())
      const { page, complaints, asked } = await visit()
      await addAuthenticator(page)
      await createPasskey(page, site, email)
      expect(await who(page, site)).toBe(email)
      const [row] = await passkeysOf(site, email)
      expect(row).toMatchObject({
        credentialID: expect.stringMatching(/^[A-Za-z0-9+/]+={0,2}$/),
        transports: "internal",
        credentialDeviceType: "singleDevice",
      })
      await signOut(page, site)
      expect(await who(page, site)).toBe("signed out")
      await signInWithPasskey(page, site)
      expect(await who(page, site)).toBe(email)
      const [used] = await passkeysOf(site, email)
      expect(used?.counter).toBeGreaterThan(row?.counter ?? Infinity)
      expect(complaints).toEqual([])
      expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(new Set([site.origin]))
    })

    test.skipIf(isMissing)("let a signed-in user add a second one, and each of them signs in", async () => {
      const site = await openPasskeySite(await open())
      const { page, complaints } = await visit()
      const first = await addAuthenticator(page)
      await signInWithPassword(page, site, "ada")
      await createPasskey(page, site, "ignored@people.test")
      expect(await who(page, site)).toBe(email)
      const onFirst = await stolenFrom(first)
      const second = await replace(page, first)
      await createPasskey(page, site, "ignored@people.test")
      expect(await who(page, site)).toBe(email)
      expect(await passkeysOf(site, email)).toHaveLength(2)
      let current = second
      for (const [credential] of [await stolenFrom(second), onFirst]) {
        await signOut(page, site)
        current = await replace(page, current, credential)
        await signInWithPasskey(page, site)
        expect(await who(page, site)).toBe(email)
      }
      expect(complaints).toEqual([])
    })

    test.skipIf(isMissing)("refuse a copy with an old counter", async () => {
      const site = await openPasskeySite(await open())
      const { page, complaints } = await visit()
      const original = await addAuthenticator(page)
      await createPasskey(page, site, email)
      expect(await who(page, site)).toBe(email)
      const [copy] = await stolenFrom(original)
      await signOut(page, site)
      await signInWithPasskey(page, site)
      expect(await who(page, site)).toBe(email)
      await signOut(page, site)
      await replace(page, original, copy)
      await signInWithPasskey(page, site)
      await page.getByText("Your passkey couldn't be verified.").waitFor()
      await shoot(page, "passkey-refused")
      await page.goto(`${site.origin}/`)
      expect(await who(page, site)).toBe("signed out")
      expect(exceptStatus(complaints)).toEqual([])
    })
  })

  test("sign in after the user typed an email, if the device doesn't store them", async () => {
    const provider = WebAuthn({ name: "Passkey", enableConditionalUI: false })
    const site = await openPasskeySite(memoryAdapter(), { providers: [provider] })
    const { page, complaints } = await visit()
    const authenticator = await addAuthenticator(page, { hasResidentKey: false, transport: "usb" })
    await createPasskey(page, site, email)
    expect(await who(page, site)).toBe(email)
    expect(await stolenFrom(authenticator)).toMatchObject([{ isResidentCredential: false }])
    await signOut(page, site)
    const asked = site.seen.length
    await signInWithPasskey(page, site)
    expect(site.seen.slice(asked).filter((line) => line.includes("webauthn-options"))).toEqual([])
    await page.getByLabel("Email").fill(email)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    expect(await who(page, site)).toBe(email)
    expect(complaints).toEqual([])
  })

  test("aren't created or used without user verification", async () => {
    const site = await openPasskeySite(memoryAdapter())
    const { page, complaints } = await visit()
    const { session, authenticatorId } = await addAuthenticator(page, { isUserVerified: false })
    const verify = (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })
    await createPasskey(page, site, email)
    await expect.poll(() => alert(page).innerText()).not.toBe("")
    expect(await site.adapter.getUserByEmail?.(email)).toBeNull()
    await verify(true)
    await page.getByRole("button", { name: "Create a" }).click()
    expect(await who(page, site)).toBe(email)
    await signOut(page, site)
    await verify(false)
    await signInWithPasskey(page, site)
    await expect.poll(() => alert(page).innerText()).not.toBe("")
    await verify(true)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    expect(await who(page, site)).toBe(email)
    expect(complaints).toEqual([])
  })

  test("don't take over the account of an email", async () => {
    const site = await openPasskeySite(memoryAdapter())
    const { page, complaints } = await visit()
    await addAuthenticator(page)
    await signInWithPassword(page, site, "ada")
    await signOut(page, site)
    await createPasskey(page, site, email)
    await page.getByText("This passkey or email address belongs to another account.").waitFor()
    expect(await passkeysOf(site, email)).toEqual([])
    expect(complaints).toEqual([])
  })

  test("sign in from the autofill, and from a button that interrupts it", async () => {
    const site = await openPasskeySite(memoryAdapter(), { providers: [Passkey()] })
    const { page, complaints } = await visit()
    const requests = await recordRequests(page)
    const authenticator = await addAuthenticator(page)
    await createPasskey(page, site, email)
    expect(await who(page, site)).toBe(email)
    await setPresence(authenticator, false)
    await signOut(page, site)
    await openSignIn(page, site)
    await expect.poll(requests).toEqual(["pending"])
    await setPresence(authenticator, true)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    expect(await who(page, site)).toBe(email)
    await signOut(page, site)
    await openSignIn(page, site)
    expect(await who(page, site)).toBe(email)
    expect(complaints).toEqual([])
  })

  test("work in two tabs at once", async () => {
    const site = await openPasskeySite(memoryAdapter())
    const { page: first, complaints } = await visit()
    await addAuthenticator(first)
    await createPasskey(first, site, email)
    expect(await who(first, site)).toBe(email)
    await signOut(first, site)

    // The first tab has its challenge, but the authenticator hasn't answered yet, when the second tab gets one.
    await openSignIn(first, site)
    let [hasOptions, release] = [false, () => {}]
    const released = new Promise<void>((resolve) => (release = resolve))
    await first.route("**/webauthn-options/**", async (route) => {
      const response = await route.fetch()
      hasOptions = true
      await released
      await route.fulfill({ response })
    })
    await first.getByRole("button", { name: "Sign in with a passkey" }).click()
    await expect.poll(() => hasOptions).toBe(true)
    const second = await first.context().newPage()
    const requests = await recordRequests(second)
    await addAuthenticator(second, { automaticPresenceSimulation: false })
    await signInWithPasskey(second, site)
    await expect.poll(requests).toEqual(["pending"])
    release()
    expect(await who(first, site)).toBe(email)
    expect(complaints).toEqual([])
  })

  test("of new users aren't offered under strict, but a signed-in user can add one", async () => {
    const site = await openPasskeySite(memoryAdapter(), { security: "strict" })
    const { page, complaints } = await visit()
    await addAuthenticator(page)
    await openSignIn(page, site)
    expect(await page.getByRole("button", { name: "Create a" }).count()).toBe(0)
    const options = () =>
      page.evaluate(
        `fetch("/auth/webauthn-options/passkey?action=register&email=eve%40people.test").then(({ status }) => status)`,
      )
    expect(await options()).toBe(400)
    await signInWithPassword(page, site, "ada")
    expect(await options()).toBe(200)
    expect(exceptStatus(complaints)).toEqual([])
  })
})
