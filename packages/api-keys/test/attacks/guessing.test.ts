import { describe, expect, test } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { forged } from "../checksum.js"
import { bearing, check, modes, named, newKey, parallel, reasonOf, responseOf, siteOf, stores } from "../site.js"

const wrongSecret = (key: string) => forged(key, (text) => text.slice(0, -32) + "0".repeat(32))
const otherId = (key: string, id = "0".repeat(16)) => forged(key, (text) => `acme_${id}${text.slice(21)}`)

describe.each(modes)("with security: %s", (security) => {
  const site = async (options: Parameters<typeof siteOf>[0] = {}) => siteOf({ ...options, config: { security } })

  test("an unknown id, a wrong secret, a key of another user and a deleted owner have the same answer", async () => {
    const its = await site()
    const { key } = await newKey(its)
    const { key: graces } = await newKey(its, { userId: await its.idOf("grace") })
    await its.adapter.deleteUser?.(await its.idOf("grace"))
    const mixed = forged(key, (text) => graces.slice(0, 21) + text.slice(21))
    const answers = await Promise.all(
      [wrongSecret(key), otherId(key), mixed, graces, "acme_x"].map(async (each) =>
        responseOf(await its.keys.verify(bearing(each))),
      ),
    )
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  test("an unknown id costs what a wrong secret does: one read and one hash", async () => {
    const its = await site()
    const reads: string[] = []
    const { records } = its.adapter
    if (records === undefined) throw new Error("The adapter has no records")
    const own = records.get.bind(records)
    Object.assign(records, { get: async (kind: string, id: string) => (reads.push(id), own(kind, id)) })
    const { key } = await newKey(its)
    for (const each of [wrongSecret(key), otherId(key)]) {
      reads.length = 0
      await check(its, each)
      expect(reads).toHaveLength(1)
    }
  })

  test("existing and other ids are limited alike, and a right key stays out of it", async () => {
    const its = await site()
    const { key } = await newKey(its)
    const [forExisting, forOther] = await Promise.all(
      [wrongSecret(key), otherId(key)].map(async (each) => parallel(async () => check(its, each))),
    )
    expect(forExisting).toEqual(forOther)
    expect(forExisting).toEqual(Array(20).fill("invalid"))
    for (const each of [wrongSecret(key), otherId(key)]) {
      const verdict = await its.keys.verify(bearing(each))
      expect(verdict).toMatchObject({ ok: false, reason: "limited", status: 429 })
      if (!verdict.ok) expect(Number(verdict.headers["retry-after"])).toBeGreaterThan(0)
    }
    expect(await check(its, key)).toBe("valid")
    expect(named(its, "refused")).toHaveLength(40)
  })

  test("guesses of any ids use up a budget that right keys don't need", async () => {
    const its = await site()
    const { key } = await newKey(its)
    const id = (index: number) => String(index).padStart(16, "0")
    const verdicts = await Promise.all(
      Array.from({ length: 601 }, async (_, index) => check(its, otherId(key, id(index)))),
    )
    expect(verdicts.filter((each) => each === "limited")).toHaveLength(1)
    expect(await check(its, key)).toBe("valid")
  })
})

attack("KEYS-01", "guesses from one address are limited, and use up no budget of other addresses", async (security) => {
  const its = await siteOf({ config: { security, rateLimit: { trustedProxies: 1 } } })
  const { key } = await newKey(its)
  const id = (index: number) => String(index).padStart(16, "0")
  const from = async (address: string, text: string) =>
    reasonOf(await its.keys.verify(bearing(text, { "x-forwarded-for": address })))
  const guesses: string[] = []
  for (let index = 0; index < 700; index++) guesses.push(await from("203.0.113.7", otherId(key, id(index))))
  expect(guesses.filter((each) => each === "invalid")).toHaveLength(60)
  expect(guesses.filter((each) => each === "limited")).toHaveLength(640)
  expect(await from("198.51.100.9", otherId(key, id(800)))).toBe("invalid")
  expect(await from("203.0.113.7", key)).toBe("valid")
})

attack(
  "KEYS-02",
  "a request for a host that isn't trusted is refused, and no error of the server",
  async (security) => {
    const config = { security, url: undefined, trustHost: ["app.test"] }
    const its = await siteOf({ config })
    const { key } = await newKey(its)
    const to = async (host: string, text = key) => its.keys.verify(bearing(text, { host }))
    expect(reasonOf(await to("app.test"))).toBe("valid")
    for (const host of ["evil.test", "app.test.evil.test", "", "a b"]) {
      const [right, wrong] = [await to(host), await to(host, otherId(key))]
      expect(right).toMatchObject({ ok: false, status: 401, reason: "host" })
      expect(await responseOf(right)).toEqual(await responseOf(wrong))
    }
    expect(named(its, "refused")[0]).toMatchObject({ outcome: "failure", reason: "host" })
  },
)

describe.each(stores)("6. Limits per key, atomic, on $name", ({ open }) => {
  test("of 20 requests at once in three processes, as many pass as the limit says, and other keys aren't counted", async () => {
    const its = await siteOf({ adapter: await open(), rateLimit: { points: 5, seconds: 60 } })
    const [{ key }, { key: other }] = [await newKey(its), await newKey(its)]
    const processes = [its, { keys: its.another() }, { keys: its.another() }]
    const verdicts = await parallel(async (index) => check(processes[index % 3] ?? its, key))
    expect(verdicts.filter((each) => each === "valid")).toHaveLength(5)
    expect(verdicts.filter((each) => each === "limited")).toHaveLength(15)
    expect(await check(its, other)).toBe("valid")
  })

  test("a limit that is off counts nothing", async () => {
    const its = await siteOf({ adapter: await open(), rateLimit: false })
    const { key } = await newKey(its)
    expect(new Set(await parallel(async () => check(its, key)))).toEqual(new Set(["valid"]))
  })

  test("a rotation doesn't reset the limit", async () => {
    const its = await siteOf({ adapter: await open(), rateLimit: { points: 1, seconds: 60 } })
    const { key, keyId } = await newKey(its)
    await check(its, key)
    const rotated = await its.keys.rotate(keyId)
    expect(await check(its, rotated.ok ? rotated.key : "")).toBe("limited")
  })
})

test("what isn't in the header alone is no key", async () => {
  const its = await siteOf()
  const { key } = await newKey(its)
  const requests = [
    new Request(`https://app.test/?api_key=${key}&access_token=${key}&authorization=Bearer%20${key}`),
    new Request("https://app.test/", { headers: { cookie: `authorization=Bearer ${key}; api_key=${key}` } }),
    new Request("https://app.test/", { headers: { "x-api-key": key, "proxy-authorization": `Bearer ${key}` } }),
    new Request("https://app.test/", { method: "POST", body: new URLSearchParams({ access_token: key }) }),
    new Request(`https://user:${key}@app.test/`.replace(/user:.*@/, "")),
    new Request("https://app.test/", { headers: { authorization: `Basic ${btoa(`key:${key}`)}` } }),
    new Request("https://app.test/", { headers: { authorization: key } }),
  ]
  for (const request of requests) expect(reasonOf(await its.keys.verify(request))).toBe("missing")
})

test.each([
  "Bearer",
  "Bearer ",
  "Bearer  ,",
  "Bearer acme_",
  "bearer acme__",
  `Bearer ${"a".repeat(100_000)}`,
  `Bearer acme_${"0".repeat(16)}_${"0".repeat(38)}`,
  "Bearer \u00ff\u00fe",
  "Bearer acme_x\tacme_y",
  "Bearer null",
  "Bearer [object Object]",
  "Bearer %00",
  'Bearer "acme"',
  "Bearer a, Bearer b",
])("a header such as %.40j is 401, and no error", async (authorization) => {
  const its = await siteOf()
  const verdict = await its.keys.verify({ headers: { authorization } })
  expect(verdict).toMatchObject({ ok: false, status: 401 })
  if (!verdict.ok) expect(JSON.stringify(verdict.headers)).not.toMatch(/[\r\n]|object|acme_/)
  expect(its.log.entries.filter(({ level }) => level === "error")).toEqual([])
})

test.each([
  { host: "a b" },
  { host: "" },
  { host: "x".repeat(5000) },
  { "x-forwarded-host": "evil.test" },
  { "x-forwarded-host": "<script>", "x-forwarded-proto": "javascript" },
  { forwarded: "host=evil" },
  { cookie: `__Secure-authjs.session-token=${"x".repeat(20_000)}` },
  { "accept-language": "x".repeat(5000) },
  { "user-agent": "\u00ff".repeat(1000) },
])("other headers such as %.40j don't matter", async (headers) => {
  // Without a configured URL, a client mustn't make a request fail by what it writes into the headers of a proxy.
  const urls = "host" in headers ? [{}, { trustHost: true }] : [{}, { trustHost: true, url: undefined }]
  for (const config of urls) {
    const its = await siteOf({ config })
    const { key } = await newKey(its)
    expect(reasonOf(await its.keys.verify({ headers: { ...headers, authorization: `Bearer ${key}` } }))).toBe("valid")
  }
})
