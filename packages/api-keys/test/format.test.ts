import { describe, expect, test } from "vitest"
import { bearing, check, newKey, reasonOf, siteOf } from "./site.js"
import { checksumOf } from "./checksum.js"

/** An adapter that counts what is asked of its records. */
async function counted(): Promise<{ site: Awaited<ReturnType<typeof siteOf>>; calls: string[] }> {
  const site = await siteOf()
  const calls: string[] = []
  const { records } = site.adapter
  for (const method of ["get", "find", "list", "insert", "swap", "take", "bump", "remove", "batch"] as const) {
    const own = records?.[method] as ((...args: unknown[]) => unknown) | undefined
    if (records === undefined || own === undefined) throw new Error("The adapter has no records")
    Object.assign(records, {
      [method]: (...args: unknown[]) => {
        calls.push(`${method} ${String(args[0])}`)
        return own.apply(records, args)
      },
    })
  }
  return { site, calls }
}

describe("1. `prefix_id_secret` with a checksum", () => {
  test("a key has the prefix of the configuration, an id, a secret and a CRC-32 that scanners can check", async () => {
    const { key, keyId } = await newKey(await siteOf())
    const [, id, rest = ""] = /^acme_([0-9A-Za-z]{16})_([0-9A-Za-z]{38})$/.exec(key) ?? []
    expect(id).toBe(keyId)
    expect(rest.slice(32)).toBe(checksumOf(key.slice(0, -6)))
  })

  test("a typo in any place is refused without a query", async () => {
    const { site, calls } = await counted()
    const { key } = await newKey(site)
    calls.length = 0
    for (let place = 0; place < key.length; place++) {
      const other = key[place] === "x" ? "y" : "x"
      expect(await check(site, key.slice(0, place) + other + key.slice(place + 1))).toBe("malformed")
    }
    expect(await check(site, key.slice(0, -1))).toBe("malformed")
    expect(await check(site, `${key}0`)).toBe("malformed")
    expect(calls).toEqual([])
  })

  test("a key with another prefix isn't valid, also if it's stored and its checksum is right", async () => {
    const site = await siteOf()
    const { key } = await newKey(site)
    const other = key.replace("acme_", "evil_").slice(0, -6)
    expect(await check(site, other + checksumOf(other))).toBe("malformed")
    expect(await check({ keys: site.another({ prefix: "acme_test" }) }, key)).toBe("malformed")
  })

  test.each([
    ["a prefix", { prefix: "Acme Inc" }],
    ["a prefix that ends with an underscore", { prefix: "acme_" }],
    ["a prefix that would split a header", { prefix: 'a"\r\nx: y' }],
    ["a scope with a space", { scopes: ["read write"] }],
    ["a scope with a quote", { scopes: ['"'] }],
    ["the same scope twice", { scopes: ["read", "read"] }],
    ["no lifetime", { maxAge: 0 }],
    ["a lifetime that is no number", { maxAge: Number.NaN }],
    ["more keys than a page has", { maxKeys: 101 }],
  ])("%s that doesn't work is refused", async (_, options) => {
    const site = await siteOf(options)
    await expect(site.keys.list("ada")).rejects.toThrow("api-keys")
  })
})

describe("2. At least 160 bits, SHA-256 at rest, looked up by the public id, shown once", () => {
  test("the secret has 190 random bits: 32 digits of 62, each as often as the others", async () => {
    const site = await siteOf()
    const keys = await Promise.all(Array.from({ length: 50 }, async () => newKey(site)))
    const secrets = keys.map(({ key }) => key.slice(-38, -6))
    expect(new Set(secrets).size).toBe(50)
    expect(new Set(secrets.join("")).size).toBe(62)
    expect(32 * Math.log2(62)).toBeGreaterThan(160)
  })

  test("no secret is stored, listed, exported, logged or in an event", async () => {
    const site = await siteOf()
    const { key, keyId } = await newKey(site)
    await check(site, key)
    await check(site, `${key.slice(0, -38)}${"0".repeat(32)}`)
    const secret = key.slice(-38, -6)
    const userId = await site.idOf("ada")
    const stored = await site.adapter.records?.get("api-keys.key", keyId)
    const told = { stored, list: await site.keys.list(userId), kept: await site.server.export(userId) }
    expect(JSON.stringify([told, site.events, site.log.entries])).not.toContain(secret)
    expect(JSON.stringify(told.kept)).not.toMatch(/[0-9a-f]{64}/)
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret))
    expect(JSON.parse(stored?.data ?? "{}")).toMatchObject({ hash: Buffer.from(digest).toString("hex") })
  })

  test("a verification reads the record of the key, and beside the owner whether they are disabled", async () => {
    const { site, calls } = await counted()
    const { key, keyId } = await newKey(site)
    await check(site, key)
    calls.length = 0
    expect(await check(site, key)).toBe("valid")
    expect(calls).toEqual(["get api-keys.key", "get core.disabled-user"])
    expect(keyId).not.toBe("")
  })

  test("a key works with the headers of any framework", async () => {
    const site = await siteOf()
    const { key } = await newKey(site)
    const of = async (headers: Parameters<typeof site.keys.verify>[0]["headers"]) =>
      reasonOf(await site.keys.verify({ headers }))
    expect(await of(bearing(key).headers)).toBe("valid")
    expect(await of({ ":path": "/", host: "app.test", authorization: `bearer ${key}`, "set-cookie": ["a=1"] })).toBe(
      "valid",
    )
    expect(await of({ authorization: [`Bearer ${key}`, `Bearer ${key}`] })).toBe("malformed")
    expect(await of({})).toBe("missing")
  })
})
