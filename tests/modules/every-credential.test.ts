import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Issued, kinds } from "./credentials.js"
import { type Site, siteOf } from "./site.js"

// Of a user of an application with every module, one credential of each kind.

/** What isn't a module's. Core's kinds one by one are in packages/core/test/revoke/every-kind.test.ts. */
const ofCore = ["session", "email-link", "vault"]

test("every module has a case", () => {
  const modules = (siteOf().config.modules ?? []).map(({ id }) => id)
  expect(Object.keys(kinds).toSorted()).toEqual([...modules, ...ofCore].toSorted())
})

async function issue(site: Site, as: string, names: readonly string[]): Promise<ReadonlyMap<string, Issued>> {
  const issued = new Map<string, Issued>()
  for (const [name, obtain] of Object.entries(kinds)) if (names.includes(name)) issued.set(name, await obtain(site, as))
  return issued
}

const chosen = fc.uniqueArray(fc.constantFrom(...Object.keys(kinds)), { minLength: 1 })

describe.each(["revoke", "disable"] as const)("after `%s`", (end) => {
  test.each(Object.keys(kinds))("%s doesn't work for the user, and does for another one", async (name) => {
    const site = siteOf()
    const [adas, graces] = [await issue(site, "ada", [name]), await issue(site, "grace", [name])]
    site.clock.advance({ seconds: 1 })
    await site.server[end](adas.get(name)?.userId ?? "", "stolen laptop")
    expect([await adas.get(name)?.works(), await graces.get(name)?.works()]).toEqual([false, true])
  })

  test("no combination of them works, and every one of another user does", async () => {
    const property = fc.asyncProperty(chosen, chosen, async (ofAda, ofGrace) => {
      const site = siteOf()
      const [adas, graces] = [await issue(site, "ada", ofAda), await issue(site, "grace", ofGrace)]
      site.clock.advance({ seconds: 1 })
      for (const userId of new Set([...adas.values()].map(({ userId: id }) => id)))
        await site.server[end](userId, "stolen laptop")
      for (const [name, { works }] of adas) expect([name, await works()]).toEqual([name, false])
      for (const [name, { works }] of graces) {
        // A sign-in with the second factor's device goes first, because the others would be held.
        if (!graces.has("mfa") || name === "mfa") expect([name, await works()]).toEqual([name, true])
      }
    })
    await fc.assert(property, { numRuns: 12, seed: Number(process.env["FUZZ_SEED"] ?? 20_261) })
  })
})

/** Sealed fields, and what looks like a hash of something secret. */
function secretsIn(site: Site): readonly string[] {
  return site.store.rows().records.flatMap(({ data }) => {
    const texts: string[] = []
    JSON.parse(data, (_, value: unknown) => {
      if (typeof value === "string") texts.push(value)
      return value
    })
    return texts.filter((text) => /^(?:[0-9a-f]{64}|[\w-]{43}|\$.{20,}|ey[\w-]{10,}\..*|.*[\w-]{40,}.*)$/s.test(text))
  })
}

test("`export` has something of every kind, as JSON, and no secret, sealed field or hash of any module", async () => {
  const site = siteOf()
  // A new password ends everything else.
  const first = await issue(site, "ada", ["password"])
  expect(await first.get("password")?.works()).toBe(true)
  site.clock.advance({ seconds: 1 })
  const others = Object.keys(kinds).filter((name) => name !== "password")
  const issued = new Map([...first, ...(await issue(site, "ada", others))])
  const guest = issued.get("anonymous")?.userId ?? ""
  const [ada, ofGuest] = [await site.server.export(site.idOf("ada")), await site.server.export(guest)]
  expect(JSON.parse(JSON.stringify(ada))).toEqual(ada)
  expect(ada.user).toMatchObject({ id: site.idOf("ada"), email: "ada@users.test" })
  expect(ada.accounts).toHaveLength(2)
  expect(ada.sessions?.length).toBeGreaterThan(1)
  expect(ada.tokens).toMatchObject([{ provider: "op", account: "ada", scopes: expect.any(Array) as string[] }])
  expect(ada.modules).toMatchObject({
    "api-keys": [{ name: "CI" }],
    bearer: [{ clientId: "app" }],
    mfa: { methods: ["app"] },
    password: expect.anything() as object,
    phone: expect.anything() as object,
  })
  expect(ofGuest.modules["anonymous"]).toMatchObject({ anonymousSince: expect.any(String) as string })
  const text = JSON.stringify([ada, ofGuest])
  const secrets = [...secretsIn(site), ...[...issued.values()].flatMap((each) => each.secrets)]
  expect(secrets.length).toBeGreaterThan(20)
  for (const secret of secrets) if (secret.length >= 6) expect(text).not.toContain(secret)
  const { sessions, accounts } = site.store.rows()
  const tokens = accounts.flatMap((row) => [row.access_token, row.refresh_token, row.id_token])
  for (const token of [...sessions.map(({ sessionToken }) => sessionToken), ...tokens])
    expect(text).not.toContain(token ?? "no token")
})
