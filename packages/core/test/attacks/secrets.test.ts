import type { Browser } from "@latchkey/testing"
import { afterEach, expect, vi } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { sessionCookie, strongSecret, whoIs } from "../modes/setup.js"
import { createHash, nodeCrypto, publish, unwatch } from "./crypto-setup.js"
import { secretsAt, site, type Site } from "./surface-setup.js"

afterEach(unwatch)

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Signs in with each type of provider. */
async function everyWay({ its, browser, links }: Site): Promise<void> {
  await browser.signInWith(its.op, { as: "ada" })
  await browser.session()
  await browser.signOut()
  await browser.signIn("mail", { email: "grace@example.test" })
  await browser.get(links.at(-1) ?? "")
  await browser.signOut()
  await browser.signIn("credentials", { name: "linus", password: "open" })
}

attack("CFG-02", "each purpose has its own key, derived with a label that names it", async (mode) => {
  const derive = vi.spyOn(nodeCrypto, "hkdfSync")
  publish()
  await everyWay(await site(mode, { session: { strategy: "jwt" }, security: { mode, revocableSessions: false } }))
  const labels = derive.mock.calls.map(([, secret, salt, info]) => {
    expect(secret).toBe(strongSecret)
    expect(info).toContain(`(${salt})`)
    return info
  })
  const purposes = new Set(derive.mock.calls.map(([, , salt]) => salt))
  expect(purposes.size).toBeGreaterThanOrEqual(3)
  expect([...purposes].filter((purpose) => purpose === "")).toEqual([])
  for (const purpose of purposes) expect(labels.some((label) => label.includes(`(${purpose})`))).toBe(true)
})

strictAttack("CFG-02", "keys", "the label of every encryption key names purpose, algorithm and version", async () => {
  const derive = vi.spyOn(nodeCrypto, "hkdfSync")
  publish()
  const seal = vi.spyOn(nodeCrypto, "createCipheriv")
  publish()
  await everyWay(
    await site("strict", { session: { strategy: "jwt" }, security: { mode: "strict", revocableSessions: false } }),
  )
  const own = derive.mock.results.flatMap(({ value }, at) => {
    const [, , salt, info] = derive.mock.calls[at] ?? []
    return info === `Latchkey v1 A256GCM (${salt})` ? [Buffer.from(value).toString("hex")] : []
  })
  const used = seal.mock.calls.map(([, key]) => key.export().toString("hex"))
  expect(used.length).toBeGreaterThan(3)
  expect(used.filter((key) => !own.includes(key))).toEqual([])
})

strictAttack(
  "CFG-02",
  "keys",
  "the secret is never part of a plain hash: tokens are stored as keyed hashes",
  async () => {
    const hashed: string[] = []
    const original = createHash
    vi.spyOn(nodeCrypto, "createHash").mockImplementation((algorithm) => {
      const hash = original(algorithm)
      const update = hash.update.bind(hash)
      return Object.assign(hash, { update: (text: string) => (hashed.push(text), update(text)) })
    })
    publish()
    await everyWay(await site("strict"))
    expect(hashed.length).toBeGreaterThan(0)
    expect(hashed.filter((text) => text.includes(strongSecret))).toEqual([])
  },
)

attack("CFG-02", "a value encrypted for one purpose is not accepted for another", async (mode) => {
  const { its, browser, links } = await site(mode, {
    session: { strategy: "jwt" },
    security: { mode, revocableSessions: false },
  })
  await browser.signInWith(its.op, { as: "ada" })
  const session = browser.cookies.find(({ name }) => name.includes("session-token"))
  const thief = browser.fresh()
  await thief.signIn("mail", { email: "ada@example.test" })
  await thief.signIn("op")
  const others = thief.cookies.filter(({ value }) => value.includes(".."))
  expect(others).toHaveLength(3)
  for (const { value } of others) {
    const forged = browser.fresh()
    if (session !== undefined) forged.jar.put({ ...session, value })
    expect(await forged.session()).toBeNull()
  }
  const answer = await its.op.authorize(thief.location, { as: "grace" })
  for (const cookie of thief.cookies.filter(({ value }) => value.includes("..")))
    thief.jar.put({ ...cookie, value: session?.value ?? "" })
  await thief.follow(answer, its.op.issuer)
  expect(await thief.session()).toBeNull()
  expect(its.op.requestsTo("token")).toHaveLength(1)
  await thief.get(links[0] ?? "")
  expect(await thief.session()).toBeNull()
})

function tokenOf(link: string | undefined): string {
  return new URL(link ?? "").searchParams.get("token") ?? ""
}

attack("CFG-03", "the database contains only a hash of the link token, which depends on the secret", async (mode) => {
  const { its, browser, links } = await site(mode)
  await browser.signIn("mail", { email: "ada@example.test" })
  const token = tokenOf(links[0])
  const [row] = its.adapter.rows().verificationTokens
  expect(JSON.stringify(its.adapter.rows())).not.toContain(token)
  expect(row?.token).toMatch(/^[0-9a-f]{64}$/)
  expect([sha256(token), sha256(`${token}undefined`)]).not.toContain(row?.token)
  const thief: Browser = browser.fresh()
  await thief.get((links[0] ?? "").replace(token, row?.token ?? ""))
  expect(thief.forms).toEqual([])
  expect(await thief.session()).toBeNull()
  await browser.get(links[0] ?? "")
  expect(await whoIs(browser)).toBe("ada@example.test")
})

strictAttack("CFG-03", "keys", "the hash of a link token has its own key", async () => {
  const { its, browser, links } = await site("strict")
  await browser.signIn("mail", { email: "ada@example.test" })
  const token = tokenOf(links[0])
  const csrf = browser.cookies.find(({ name }) => name.includes("csrf"))
  const [value = "", hash] = decodeURIComponent(csrf?.value ?? "").split("|")
  expect(its.adapter.rows().verificationTokens[0]?.token).not.toBe(sha256(token + strongSecret))
  expect(hash).not.toBe(sha256(value + strongSecret))
})

strictAttack("CFG-03", "tokens at rest", "a stolen database contains no usable session or provider token", async () => {
  for (const strategy of ["jwt", "database"] as const) {
    const { its, browser, links } = await site("strict", { session: { strategy } })
    await browser.signInWith(its.op, { as: "ada" })
    await browser.fresh().signIn("mail", { email: "grace@example.test" })
    const dump = JSON.stringify(its.adapter.rows())
    const secrets = [...secretsAt(its.op), sessionCookie(browser), tokenOf(links[0]), strongSecret]
    for (const secret of secrets) expect(dump).not.toContain(secret)
    expect(dump).not.toMatch(/access_token|refresh_token|id_token/)
    const [row] = its.adapter.rows().sessions
    expect(row?.sessionToken).toMatch(/^(?:sha256:)?[0-9a-f]{64}$/)
    if (strategy === "database") expect(row?.sessionToken).toContain(sha256(sessionCookie(browser)))
    const thief = browser.fresh()
    const cookie = browser.cookies.find(({ name }) => name.includes("session-token"))
    if (cookie !== undefined) thief.jar.put({ ...cookie, value: row?.sessionToken ?? "" })
    expect(await thief.session()).toBeNull()
    expect(await whoIs(browser)).toBe("ada@example.test")
  }
})

attack("CFG-03", "provider tokens can be stored encrypted, each with the id of its key", async (mode) => {
  const { its, browser } = await site(mode, { security: { mode, providerTokens: "sealed" } })
  await browser.signInWith(its.op, { as: "ada" })
  const dump = JSON.stringify(its.adapter.rows().accounts)
  for (const secret of secretsAt(its.op)) expect(dump).not.toContain(secret)
  const [account] = its.adapter.rows().accounts
  for (const token of [account?.access_token, account?.id_token]) {
    const [header = "", encryptedKey, ...parts] = (token ?? "").split(".")
    expect([encryptedKey, parts.length]).toEqual(["", 3])
    expect(JSON.parse(atob(header))).toMatchObject({ alg: "dir", enc: "A256GCM", kid: expect.any(String) })
  }
  expect(account?.access_token).not.toBe(account?.id_token)
})
