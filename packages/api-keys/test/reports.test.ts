import { generateKeyPairSync, sign } from "node:crypto"
import { describe, expect, test } from "vitest"
import { forged } from "./checksum.js"
import { check, named, newKey, parallel, siteOf, type Site } from "./site.js"

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const keyId = "90a421169f0a406205f1563a953312f0be898d3c7b6c06b681aa86a874555f4a"
const pem = publicKey.export({ type: "spki", format: "pem" }).toString()
const secretScanning = { publicKey: (id: string) => (id === keyId ? pem : undefined) }

interface Sent {
  readonly signature?: string
  readonly keyId?: string
  readonly method?: string
}

async function report(
  site: Site,
  body: string,
  { signature, keyId: id = keyId, method = "POST" }: Sent = {},
): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "github-public-key-identifier": id,
    "github-public-key-signature": signature ?? sign("sha256", Buffer.from(body), privateKey).toString("base64"),
  }
  const request = new Request("https://app.test/reports", { method, headers, ...(method === "POST" && { body }) })
  return (await site.keys.report(request)).status
}

const match = (token: unknown) => ({ token, type: "acme_api_key", url: "https://github.com/a/b", source: "content" })

describe("7. Reports of secret scanning revoke", () => {
  test("a report that is signed revokes the keys in it, tells their owners, and is an event", async () => {
    const site = await siteOf({ secretScanning })
    const [leaked, other] = [await newKey(site), await newKey(site)]
    expect(await report(site, JSON.stringify([match(leaked.key), match("acme_nothing"), match(7), null]))).toBe(204)
    expect([await check(site, leaked.key), await check(site, other.key)]).toEqual(["invalid", "valid"])
    const subject = { kind: "user", id: await site.idOf("ada") }
    expect(named(site, "reported")).toMatchObject([
      { subject, actor: { kind: "application" }, data: { keyId: leaked.keyId } },
    ])
    expect(site.sent[0]?.letter?.text).toContain("found in public")
    expect(JSON.stringify([site.events, site.sent])).not.toContain(leaked.key.slice(22, 54))
  })

  test("a signature of another body, another key or none is refused", async () => {
    const site = await siteOf({ secretScanning })
    const { key } = await newKey(site)
    const body = JSON.stringify([match(key)])
    const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
    const right = sign("sha256", Buffer.from(body), privateKey)
    const wrong = [
      sign("sha256", Buffer.from(`${body} `), privateKey),
      sign("sha256", Buffer.from(body), foreign),
      sign("sha256", Buffer.from(body), { key: privateKey, dsaEncoding: "ieee-p1363" }),
      Buffer.from([0x30, 0x7f, ...right.subarray(2)]),
      right.subarray(0, 20),
      Buffer.concat([right, Buffer.from([0])]),
      Buffer.from([0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]),
      Buffer.alloc(72, 0x30),
      Buffer.alloc(0),
    ].map((each) => each.toString("base64"))
    for (const signature of [...wrong, "%", "A".repeat(100_000)])
      expect(await report(site, body, { signature })).toBe(401)
    for (const id of ["0".repeat(64), "", "../../etc", "x".repeat(1000)])
      expect(await report(site, body, { keyId: id })).toBe(401)
    expect(await check(site, key)).toBe("valid")
  })

  test("the example of the program's documentation is verified", async () => {
    const example = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9MJJHnMfn2+H4xL4YaPDA4RpJqUq
kCmRCBnYERxZanmcpzQSXs1X/AljlKkbJ8qpVIW4clayyef9gWhFbNHWAA==
-----END PUBLIC KEY-----`
    const site = await siteOf({ secretScanning: { publicKey: async () => example } })
    const signature = "MEUCIQDKZokqnCjrRtw0tni+2Ltvl/uiMJ1EGumEsp1BsNr32AIgQY1YXD2nlj+XNfGK4rBfkMJ1JDOQcYXxa2sY8FNkrKc="
    const body = '[{"token":"some_token","type":"some_type","url":"some_url"}]'
    expect(await report(site, body, { signature })).toBe(204)
    expect(await report(site, body.replace("some_url", "a_url"), { signature })).toBe(401)
  })

  test("what isn't a list, is too large or no POST is refused, and nothing is an error", async () => {
    const site = await siteOf({ secretScanning })
    for (const body of ["{}", "", "[", "null", '"text"']) expect(await report(site, body)).toBe(400)
    expect(await report(site, JSON.stringify([match("x".repeat(1_048_577))]))).toBe(413)
    expect(await report(site, "", { method: "GET" })).toBe(405)
  })

  test("without `secretScanning`, reports are an error of the application", async () => {
    await expect(report(await siteOf(), "[]")).rejects.toThrow("secretScanning")
  })
})

describe("`reported`", () => {
  test("revokes a key by any of its secrets, once, also in parallel", async () => {
    const site = await siteOf()
    const { key, keyId: id } = await newKey(site)
    const rotated = await site.keys.rotate(id)
    const outcomes = await parallel(async () => site.keys.reported([key, key]))
    expect(outcomes.filter(({ revoked }) => revoked === 1)).toHaveLength(1)
    expect(outcomes.filter(({ revoked }) => revoked === 0)).toHaveLength(19)
    expect(await check(site, rotated.ok ? rotated.key : "")).toBe("invalid")
    expect(named(site, "reported")).toHaveLength(1)
  })

  test("doesn't revoke a key of which only the public id is known", async () => {
    const site = await siteOf()
    const { key } = await newKey(site)
    const { key: other } = await newKey(site)
    const guessed = forged(key, (text) => text.slice(0, 22) + other.slice(22, 54))
    expect(await site.keys.reported([key.slice(0, -1), key.slice(0, 21), guessed])).toEqual({ revoked: 0 })
    expect(await check(site, key)).toBe("valid")
  })
})
