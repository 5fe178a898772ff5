import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { browse } from "../applications/http.js"
import { application, packages } from "./application.js"

const ada = { id: "id-ada", name: "ada", email: "ada@users.test" }
const linus = { name: "Linus Pauling", email: "linus@example.test" }

/** The session from `getSession`, and from the session route. */
async function sessions(browser: Browser): Promise<readonly unknown[]> {
  const read: unknown = await (await browser.fetch("/session")).json()
  const given: unknown = await (await browser.fetch("/auth/session")).json()
  return [read, given]
}

function everywhere(user: object): readonly unknown[] {
  const session = { user: expect.objectContaining(user), expires: expect.any(String) }
  return [session, session]
}

const [theirs, ours] = packages

describe.each([
  { express: "express4", mount: "/auth/*" },
  { express: "express", mount: "/auth" },
] as const)("an application of $express with the mount path $mount", (variant) => {
  const { op, deploy } = application(variant)

  async function signedIn(origin: string): Promise<Browser> {
    const browser = browse(origin, "/auth")
    await browser.signIn("credentials", { name: "ada", password: "open sesame" })
    return browser
  }

  test.each([
    { from: theirs, to: ours },
    { from: ours, to: theirs },
  ])("keeps a session from $from to $to and back, until the user signs out", async ({ from, to }) => {
    const browser = await signedIn(await deploy(from))
    for (const name of [to, from, to]) {
      await deploy(name)
      expect(await sessions(browser)).toEqual(everywhere(ada))
    }
    await browser.get("/private")
    expect(browser.text).toBe(ada.email)
    await browser.signOut()
    for (const name of [to, from]) {
      await deploy(name)
      expect(await sessions(browser)).toEqual([null, null])
    }
  })

  test.each([
    { from: theirs, to: ours },
    { from: ours, to: theirs },
  ])("accepts a form of $from that was open when it was swapped to $to", async ({ from, to }) => {
    const browser = browse(await deploy(from), "/auth")
    await browser.get("/auth/signin")
    await deploy(to)
    await browser.submitForm("callback/credentials", { name: "ada", password: "open sesame" })
    expect(await sessions(browser)).toEqual(everywhere(ada))
  })

  test("a sign-in at the provider that began before the swap ends in a session", async () => {
    const browser = browse(await deploy(theirs), "/auth")
    await browser.get("/auth/signin")
    await browser.submitForm("signin/op")
    const answer = await op.authorize(browser.location, { as: "linus" })
    await deploy(ours)
    await browser.follow(answer, op.issuer)
    expect(await sessions(browser)).toEqual(everywhere(linus))
  })

  test.each(packages)(
    "%s leads visitors to the sign-in page, and shows the error that `authorize` threw",
    async (name) => {
      const browser = browse(await deploy(name), "/auth")
      await browser.get("/private")
      expect(new URL(browser.location).pathname).toBe("/auth/signin")
      await browser.submitForm("callback/credentials", { name: "locked", password: "open sesame" })
      const { searchParams } = new URL(browser.location)
      expect([searchParams.get("error"), searchParams.get("code")]).toEqual(["CredentialsSignin", "locked"])
    },
  )
})
