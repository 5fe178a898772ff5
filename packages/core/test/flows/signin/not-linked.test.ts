import { memoryAdapter } from "@latchkey/adapter-kit"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, createProvider, type FakeProvider, frozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { errorAt, mailbox } from "./setup.js"

interface Situation {
  /** What the provider says about the email of the user who's refused. */
  readonly verified: boolean | undefined
  readonly config?: Partial<AuthConfig>
}

/** Ada signed up with GitHub. An attacker signs in at another provider with an account that has her email. */
async function refused(
  { verified, config = {} }: Situation,
  prepare?: (browser: Browser, github: FakeProvider) => Promise<unknown>,
) {
  const clock = frozenClock()
  const github = createProvider({ clock })
  const other = createProvider({ clock, id: "other", issuer: "https://other.test" })
  const { email_verified: _, ...ada } = other.people.ada
  other.people["mallory"] = { ...ada, sub: "mallory", ...(verified !== undefined && { email_verified: verified }) }
  const full: AuthConfig = {
    providers: [github.provider({ name: "GitHub" }), other.provider({ name: "Other" })],
    adapter: memoryAdapter(),
    logger: { error: () => undefined },
    ...config,
  }
  const owner = await visit(full, { clock })
  await owner.signInWith(github, { as: "ada" })
  const browser = owner.fresh()
  await prepare?.(browser, github)
  await browser.signInWith(other, { as: "mallory" })
  return { browser }
}

/** The error on the page. */
function said({ text }: Browser): string | undefined {
  return /<p id="signin-error">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll("&#39;", "'")
}

const generic = "To confirm your identity, sign in with the account you used originally."

describe("if the provider says that the user has verified the email", () => {
  test("the page says which way of signing in works", async () => {
    const { browser } = await refused({ verified: true })
    expect(errorAt(browser)).toBe("/auth/signin OAuthAccountNotLinked")
    expect(said(browser)).toBe("To confirm your identity, sign in with GitHub, as you did before.")
  })

  test("the ways are those that work: by email and with a password too", async () => {
    const password = credentials({
      credentials: { email: {}, password: {} },
      authorize: () => null,
      canSignIn: ({ email }) => email === "ada@example.test",
    })
    const badge = credentials({ id: "badge", name: "Badge", credentials: { badge: {} }, authorize: () => null })
    const clock = frozenClock()
    const github = createProvider({ clock })
    const other = createProvider({ clock, id: "other", issuer: "https://other.test" })
    const store = memoryAdapter()
    const providers = [
      github.provider({ name: "GitHub" }),
      other.provider(),
      mailbox({ name: "Email" }).provider,
      password,
      badge,
    ]
    const browser = await visit({ providers, adapter: store, logger: { error: () => undefined } }, { clock })
    await browser.fresh().signInWith(github, { as: "ada" })
    await browser.signInWith(other, { as: "ada" })
    expect(said(browser)).toMatch(/sign in with GitHub, Email,? or Password, as you did before/)
  })

  test("a flow gets the same sentence", async () => {
    const { browser } = await refused({ verified: true })
    const headers = { accept: "application/json" }
    const step = await (await browser.fetch("/auth/signin?error=OAuthAccountNotLinked", { headers })).json()
    expect(step).toMatchObject({
      error: { message: expect.stringContaining("sign in with GitHub, as you did before") },
    })
  })

  test("another browser doesn't learn it from the URL", async () => {
    const { browser } = await refused({ verified: true })
    const stranger = browser.fresh()
    await stranger.get(browser.location)
    expect(said(stranger)).toBe(generic)
  })

  test("an adapter that can't list accounts doesn't make the page guess", async () => {
    const { listAccounts: _, ...adapter } = memoryAdapter()
    const { browser } = await refused({ verified: true, config: { adapter } })
    expect(said(browser)).toBe(generic)
  })
})

describe.each([
  ["says that the email isn't verified", false],
  ["says nothing about the email", undefined],
])("if the provider %s", (_, verified) => {
  test("a stranger doesn't learn which services the owner of the email uses", async () => {
    const { browser } = await refused({ verified })
    expect(errorAt(browser)).toBe("/auth/signin OAuthAccountNotLinked")
    expect(said(browser)).toBe(generic)
  })

  test("the page names what this browser signed in with last, not what the owner of the email uses", async () => {
    const { browser } = await refused({ verified }, async (own, github) => {
      await own.signInWith(github, { as: "grace" })
      await own.signOut()
    })
    expect(said(browser)).toBe("To confirm your identity, sign in with GitHub, as you did before.")
  })
})
