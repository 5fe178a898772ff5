import { memoryAdapter } from "@latchkey/adapter-kit"
import { visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, lastOf, mailer, nextSecret, published, secret, swap, type Swap } from "./applications.js"

type Secrets = string | string[]

const rotations: [situation: string, before: Secrets, after: Secrets][] = [
  ["with one secret", secret, secret],
  ["with the same secrets in rotation", [nextSecret, secret], [nextSecret, secret]],
]

describe.each(rotations)("a CSRF cookie %s", (_situation, before, after) => {
  const post = async ({ theirs, ours }: Swap, from: "theirs" | "ours") => {
    const [asked, posted] = from === "theirs" ? [theirs, ours] : [ours, theirs]
    const csrfToken = await asked.csrf()
    const kept = asked.cookies.find(({ name }) => name === "__Host-authjs.csrf-token")?.value
    expect(kept).toContain(csrfToken)
    await posted.post("/auth/callback/credentials", { csrfToken: csrfToken ?? "", name: "Ada" })
    return posted.session()
  }

  test.each(["theirs", "ours"] as const)("of %s is taken by the other application", async (from) => {
    const applications = await swap({
      theirs: { providers: [byName], secret: before },
      ours: { providers: [byName], secret: after },
    })
    expect(await post(applications, from)).toMatchObject({ user: { name: "Ada" } })
  })
})

test("a CSRF cookie that @auth/core made before the rotation is taken here after it", async () => {
  const { theirs, ours } = await swap({
    theirs: { providers: [byName], secret },
    ours: { providers: [byName], secret: [nextSecret, secret] },
  })
  const csrfToken = (await theirs.csrf()) ?? ""
  await ours.post("/auth/callback/credentials", { csrfToken, name: "Ada" })
  expect(await ours.session()).toMatchObject({ user: { name: "Ada" } })
})

test("a CSRF cookie made with another secret is taken by neither", async () => {
  const { theirs, ours } = await swap({
    theirs: { providers: [byName], secret },
    ours: { providers: [byName], secret: nextSecret },
  })
  const their = (await theirs.csrf()) ?? ""
  await ours.post("/auth/callback/credentials", { csrfToken: their, name: "Ada" })
  expect(await ours.session()).toBeNull()
})

async function mailingApplications(theirSecret: Secrets, ourSecret: Secrets, strategy: "jwt" | "database") {
  const adapter = memoryAdapter()
  const { provider, links } = mailer()
  const common = { adapter, session: { strategy }, providers: [provider] }
  const applications = await swap({
    theirs: { ...common, secret: theirSecret },
    ours: { ...common, secret: ourSecret },
  })
  return { ...applications, adapter, links }
}

describe.each(["jwt", "database"] as const)("an e-mail link, strategy %s", (strategy) => {
  const secrets: [situation: string, theirs: Secrets, ours: Secrets][] = [
    ["with one secret", secret, secret],
    ["asked for with secrets in rotation", [nextSecret, secret], [nextSecret, secret]],
    ["asked for before a rotation", secret, [nextSecret, secret]],
  ]

  test.each(secrets)("of @auth/core is finished here on the confirmation page, %s", async (_case, before, after) => {
    const { theirs, ours, links, adapter } = await mailingApplications(before, after, strategy)
    await theirs.signIn("mail", { email: "ada@example.test" })
    await ours.get(lastOf(links))
    expect(adapter.rows().users).toHaveLength(0)
    await ours.submitForm("callback/mail")
    expect(await ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(adapter.rows().verificationTokens).toHaveLength(0)
  })

  test("of ours is finished by @auth/core", async () => {
    const { theirs, ours, links, adapter } = await mailingApplications(secret, secret, strategy)
    await ours.signIn("mail", { email: "ada@example.test" })
    await theirs.get(lastOf(links))
    expect(await theirs.session()).toMatchObject({ user: { email: "ada@example.test" } })
    expect(adapter.rows().verificationTokens).toHaveLength(0)
  })

  test("that @auth/core finished is refused here", async () => {
    const { theirs, ours, links, adapter } = await mailingApplications(secret, secret, strategy)
    await theirs.signIn("mail", { email: "ada@example.test" })
    await theirs.get(lastOf(links))
    const elsewhere = ours.fresh()
    await elsewhere.get(lastOf(links))
    await elsewhere.submitForm("callback/mail")
    expect(elsewhere.location).toContain("error=Verification")
    expect(await elsewhere.session()).toBeNull()
    expect(adapter.rows().users).toHaveLength(1)
  })
})

describe("a session in the store", () => {
  test("that @auth/core began is read, and ended, here", async () => {
    const { theirs, ours, links, adapter } = await mailingApplications(secret, secret, "database")
    await theirs.signIn("mail", { email: "ada@example.test" })
    await theirs.get(lastOf(links))
    expect(await ours.session()).toMatchObject({ user: { email: "ada@example.test" } })
    await ours.signOut()
    expect(adapter.rows().sessions).toHaveLength(0)
    expect(await theirs.session()).toBeNull()
  })

  test("that began here is read, and ended, by @auth/core", async () => {
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

test("a hardened application still opens the session that @auth/core began, and renames it", async () => {
  const config = { providers: [byName], secret }
  const ours = await visit({ ...config, url: "https://app.test/auth", security: "strict" })
  const theirs = published(config, ours)
  await theirs.signIn("credentials", { name: "Ada" })
  expect(await ours.session()).toMatchObject({ user: { name: "Ada" } })
  const names = ours.cookies.map(({ name }) => name).filter((name) => name.includes("session-token"))
  expect(names).toEqual(["__Host-authjs.session-token"])
})
