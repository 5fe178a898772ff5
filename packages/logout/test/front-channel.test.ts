import { expect, test } from "vitest"
import { isSignedIn, signIn, siteOf } from "./site.js"

const frame = { headers: { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site" } }

test("a frame of the provider ends the session that it names, without cookies", async () => {
  const site = siteOf({ frontChannel: true })
  const [one, two] = [await signIn(site), await signIn(site)]
  const query = new URLSearchParams({ iss: site.op.issuer, sid: one.sid })
  const response = await site.send(`frontchannel-logout/op?${query}`, frame)
  expect([response.status, response.headers.get("content-security-policy")]).toEqual([
    200,
    `default-src 'none'; frame-ancestors ${site.op.issuer}`,
  ])
  expect(response.headers.get("cache-control")).toContain("no-store")
  expect([await isSignedIn(one.browser), await isSignedIn(two.browser)]).toEqual([false, true])
  expect(site.reasons).toEqual(["frontchannel-logout"])
})

test("without the option, there is no such route", async () => {
  const site = siteOf()
  expect((await site.send("frontchannel-logout/op?iss=x&sid=y", frame)).status).toBe(404)
})
