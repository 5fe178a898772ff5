import { describe, expect, test } from "vitest"
import { proofIn, publicKeyIn, verifies } from "../src/proof.js"

// Proofs as others write them.

const read = (proof: string) => proofIn(new Headers({ "secure-session-response": proof }))

describe("the example of the draft (§9.3)", () => {
  const example =
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImRic2Mrand0In0.eyJhdWQiOiJodHRwczovL2V4YW1wbGUuY29tL3JlZyIsImp0aSI6ImN2IiwiaWF0IjoiMTcyNTU3OTA1NSIsImp3ayI6eyJrdHkiOiJFQyIsImNydiI6IlAtMjU2IiwieCI6IjZfR0Iydm9RMHFyb01oNk9sREZDRlNfU0pyaVFpMVBUdnZCT2hHWjNiSEkiLCJ5IjoiSWVnT0pVTHlFN1N4SF9DZDFLQ0VSN2xXQnZHRkhRLWgweHlqelVqRUlXRSJ9LCJhdXRob3JpemF0aW9uIjoiYWMifQ.6Fb_vVBDmfNghQiBmIGe8o7tBfYPbPCywhQruP0vIhxgmcJmuNTaMHeVn_M8ZnOm1_bzIitbZqCWEn-1Qzmtyw"

  test("is read, and its signature isn't one of the key that the draft shows", async () => {
    const proof = read(`"${example}"`)
    expect(proof).toMatchObject({ alg: "ES256", challenge: "cv" })
    const x = "6_GB2voQ0qroMh6OlDFCFS_SJriQi1PTvvBOhGZ3bHI"
    const y = "IegOJULyE7SxH_Cd1KCER7lWBvGFHQ-h0xyjzUjEIWE"
    const key = publicKeyIn({ alg: "ES256", jwk: { kty: "EC", crv: "P-256", x, y } })
    expect(key).toBeDefined()
    expect(proof !== null && key !== undefined && (await verifies(proof, key))).toBe(false)
  })
})

describe("the proofs of Chromium 156", () => {
  const registration =
    "eyJhbGciOiJFUzI1NiIsImp3ayI6eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIiwieCI6ImVwS0QzUEhvdVJVbnRkdEFiZFA1QlM4T3ZESTgtOHAxR0Izak9VLTE2b2siLCJ5IjoiM3RDZnRJNDdqYjRRU3d4YmdjY0plZTFsRzk3WGUxYWNLd19pZmt1b2JmQSJ9LCJ0eXAiOiJkYnNjK2p3dCJ9.eyJqdGkiOiJleUpoYkdjaU9pSmthWElpTENKbGJtTWlPaUpCTWpVMlIwTk5JaXdpYTJsa0lqb2ljMWhhY1dwRVIwVTVNWEpSWmpkWFVXRmhXaTFDTTFneVdHRmpablo0ZFdOTGVuTmFSVEU0YmpZMGJ5SjkuLmlpUUJ0THU1X3RJQzkwb0wuVXA2bXhNbFZNVlh4R3NQWHVQVXRLeUJxeGVBbWhhdXlUaHh1Y0lTanFzUW1yaDNIcU5OZHItN3E1ZkZnM2ZHQm5nUl9yRjVGNERETnhKSU1BLXlPay1IZXIxS21MYTlnR1l3OGVqTE5zNXZVMVk4Z013WnZyMmlEemI1MWU3RmVUVkVWMGpOcW05LU5qQzguTXJhc2VISEVQeU9WRUgwWU5QRWwyUSJ9.9UJktvJ46XzW7Dfj-Zp8o1uF4NYSr6BQU0XCezegYrjMmn2aFW-uJ31NL9-iXHAq3Rc7G-htE-fysSOsG2OG3A"
  const refresh =
    "eyJhbGciOiJFUzI1NiIsInR5cCI6ImRic2Mrand0In0.eyJqdGkiOiJleUpoYkdjaU9pSmthWElpTENKbGJtTWlPaUpCTWpVMlIwTk5JaXdpYTJsa0lqb2ljMWhhY1dwRVIwVTVNWEpSWmpkWFVXRmhXaTFDTTFneVdHRmpablo0ZFdOTGVuTmFSVEU0YmpZMGJ5SjkuLjZXSW1qMDhDT3lkVWVLbmsuLVpyb0NmVUdhdzFqdF9Vb01MeHZQWTFuSDBTU0p2N3B2Z1BCWndNMS1YSENjcGV1RHBWdGNKRVQ0eWV4bG5HYXVFUUt6N0hxUXlDWWRWQUd3aU53X1g0RmxYZ1lnbEE1YWZtMTh2c3ppZW5aTWI3bzZhM3RwNjNtMzJkaWRfVzF4Uzh0d0hjN01RakU0N1EubjdQd192THYwekI5TVRLc1FOVXBOQSJ9.qPlB1b3j3JxNSe4xzuTpQAMwa0pYFmZ3r9shJJHkcAjuohvP7CrEU7PwMVgxmyn8-2e9n88PGCX3yA_-U0kERQ"

  test("are signed with the key that the registration names, and a refresh names none", async () => {
    const [first, second] = [read(registration), read(refresh)]
    if (first === null || second === null) throw new Error("no proofs")
    const key = publicKeyIn(first)
    if (key === undefined) throw new Error("no key")
    expect([await verifies(first, key), await verifies(second, key)]).toEqual([true, true])
    expect(publicKeyIn(second)).toBeUndefined()
    expect(await verifies({ ...second, signed: first.signed }, key)).toBe(false)
    expect(await verifies(first, { ...key, alg: "RS256" })).toBe(false)
  })
})
