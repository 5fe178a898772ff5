import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, forPublished, lastOf, mailer, nextSecret, secret, swap, type Swap } from "./applications.js"

type Secrets = string | string[]

async function namingApplications(theirs: Secrets, ours: Secrets): Promise<Swap> {
  return swap({ theirs: { providers: [byName], secret: theirs }, ours: { providers: [byName], secret: ours } })
}

/** Signs in at one application with the CSRF token of the other one's form. */
async function post({ form, application }: { form: Browser; application: Browser }): Promise<unknown> {
  const csrfToken = (await form.csrf()) ?? "none"
  expect(form.cookies.find(({ name }) => name === "__Host-authjs.csrf-token")?.value).toContain(csrfToken)
  await application.post("/auth/callback/credentials", { csrfToken, name: "Ada" })
  return application.session()
}

const rotations: [situation: string, theirs: Secrets, ours: Secrets][] = [
  ["with one secret", secret, secret],
  ["with the same secrets in rotation", [nextSecret, secret], [nextSecret, secret]],
  ["before the secret was rotated", secret, [nextSecret, secret]],
]

test.each(rotations)("Latchkey accepts a form of @auth/core, made %s", async (_situation, before, after) => {
  const { theirs, ours } = await namingApplications(before, after)
  expect(await post({ form: theirs, application: ours })).toMatchObject({ user: { name: "Ada" } })
})

const both: readonly [situation: string, secrets: Secrets][] = [
  ["one secret", secret],
  ["secrets in rotation", [nextSecret, secret]],
]

test.each(both)("@auth/core accepts a form of Latchkey, made with %s", async (_situation, secrets) => {
  const { theirs, ours } = await namingApplications(secrets, secrets)
  expect(await post({ form: ours, application: theirs })).toMatchObject({ user: { name: "Ada" } })
})

test("neither accepts a form made with an unlisted secret", async () => {
  const before = await namingApplications(secret, nextSecret)
  expect(await post({ form: before.theirs, application: before.ours })).toBeNull()
  const after = await namingApplications(nextSecret, secret)
  expect(await post({ form: after.ours, application: after.theirs })).toBeNull()
})

async function mailingApplications(theirSecret: Secrets, ourSecret: Secrets, strategy: "jwt" | "database") {
  const adapter = memoryAdapter()
  const { provider, links } = mailer()
  const common = { session: { strategy }, providers: [provider] }
  const applications = await swap({
    theirs: { ...common, adapter: forPublished(adapter), secret: theirSecret },
    ours: { ...common, adapter, secret: ourSecret },
  })
  return { ...applications, adapter, links }
}

describe.each(["jwt", "database"] as const)("an email link, strategy %s", (strategy) => {
  const secrets: [situation: string, theirs: Secrets, ours: Secrets][] = [
    ["with one secret", secret, secret],
    ["requested with secrets in rotation", [nextSecret, secret], [nextSecret, secret]],
    ["requested before a rotation", secret, [nextSecret, secret]],
  ]

  test.each(secrets)(
    "of @auth/core signs in at Latchkey on the confirmation page, %s",
    async (_case, before, after) => {
      const { theirs, ours, links, adapter } = await mailingApplications(before, after, strategy)
      await theirs.signIn("mail", { email: "ada@example.test" })
      await ours.get(lastOf(links))
      expect(adapter.rows().users).toHaveLength(0)
      await ours.submitForm("callback/mail")
      expect(await ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
      expect(adapter.rows().verificationTokens).toHaveLength(0)
    },
  )

  test.each(both)("of Latchkey signs in at @auth/core, requested with %s", async (_situation, secrets) => {
    const { theirs, ours, links, adapter } = await mailingApplications(secrets, secrets, strategy)
    await ours.signIn("mail", { email: "ada@example.test" })
    await theirs.get(lastOf(links))
    expect(await theirs.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(adapter.rows().verificationTokens).toHaveLength(0)
  })

  test("that was used at @auth/core is refused by Latchkey", async () => {
    const { theirs, ours, links, adapter } = await mailingApplications(secret, secret, strategy)
    await theirs.signIn("mail", { email: "ada@example.test" })
    await theirs.get(lastOf(links))
    const elsewhere = ours.fresh()
    await elsewhere.get(lastOf(links))
    expect(elsewhere.location).toContain("error=Verification")
    expect(await elsewhere.session()).toBeNull()
    expect(adapter.rows().users).toHaveLength(1)
  })
})

describe("a session in the store", () => {
  test("of @auth/core can be read and ended by Latchkey", async () => {
    const { theirs, ours, links, adapter } = await mailingApplications(secret, secret, "database")
    await theirs.signIn("mail", { email: "ada@example.test" })
    await theirs.get(lastOf(links))
    expect(await ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
    await ours.signOut()
    expect(adapter.rows().sessions).toHaveLength(0)
    expect(await theirs.session()).toBeNull()
  })

  test("of Latchkey can be read and ended by @auth/core", async () => {
    const { theirs, ours, links, adapter } = await mailingApplications(secret, secret, "database")
    await ours.signIn("mail", { email: "ada@example.test" })
    await ours.get(lastOf(links))
    expect(await theirs.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(await ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
    await theirs.signOut()
    expect(adapter.rows().sessions).toHaveLength(0)
    expect(await ours.session()).toBeNull()
  })
})
