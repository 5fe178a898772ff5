import { expect, test } from "vitest"
import { answer, enrolled, held, isHeld, signedIn, type Site, siteOf, submit } from "./site.js"

/** Signs out, and enters the password again in the same browser. */
async function isAskedAgain(site: Site, browser: Awaited<ReturnType<typeof held>>): Promise<boolean> {
  await browser.signOut()
  return isHeld(await held(site, "ada", browser))
}

test("a device is trusted only if the user checks the box", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  expect(await isAskedAgain(site, await signedIn(site, person))).toBe(true)
  const device = await signedIn(site, person, { trust: "yes" })
  expect(await isAskedAgain(site, device)).toBe(false)
  expect(await device.session()).not.toBeNull()
})

test("trust ends after 30 days, also if the device is used every day", async () => {
  const site = await siteOf()
  const device = await signedIn(site, await enrolled(site), { trust: "yes" })
  for (let day = 0; day < 29; day++) {
    site.clock.advance({ hours: 24 })
    expect(await isAskedAgain(site, device)).toBe(false)
  }
  site.clock.advance({ hours: 24, seconds: 1 })
  expect(await isAskedAgain(site, device)).toBe(true)
})

test("trust ends after 30 days, also in a browser that keeps the cookie", async () => {
  const site = await siteOf()
  const device = await signedIn(site, await enrolled(site), { trust: "yes" })
  for (const { expires: _, ...cookie } of device.cookies.filter(({ name }) => name.endsWith("mfa.device")))
    device.jar.put({ ...cookie, expires: undefined })
  site.clock.advance({ days: 30, seconds: -1 })
  expect(await isAskedAgain(site, device)).toBe(false)
  site.clock.advance({ seconds: 2 })
  expect(await isAskedAgain(site, device)).toBe(true)
})

test("trusted devices are listed on the account page with their browser, and can be removed", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }
  const browser = await held(site)
  await browser.post(
    "/auth/factor",
    { code: person.app.code(site.clock.now()), trust: "yes", csrfToken: (await browser.csrf()) ?? "" },
    { headers },
  )
  const elsewhere = await signedIn(site, person)
  await elsewhere.get("/auth/account")
  expect(elsewhere.text).toMatch(/Trusted device: Firefox, Linux, since \w+ \d+, \d{4}/)
  await submit(elsewhere, "forget")
  expect(elsewhere.text).not.toContain("Trusted device")
  expect(await isAskedAgain(site, browser)).toBe(true)
})

test.each(["app removed and set up again", "new recovery codes", "another method", "forgetDevices", "revoke"])(
  "trust ends with: %s",
  async (change) => {
    const site = await siteOf()
    const person = await enrolled(site)
    const device = await signedIn(site, person, { trust: "yes" })
    const other = await signedIn(site, person)
    if (change === "forgetDevices") await site.server.forgetDevices(person.id)
    else if (change === "revoke")
      await (await import("@latchkey/core/server")).createServer(site.config).revoke(person.id)
    else if (change === "new recovery codes") await submit(other, "regenerate")
    else if (change === "another method") {
      await submit(other, "enroll", { method: "email" })
      await other.submitForm("mfa/confirm", { code: site.letters.at(-1)?.code ?? "" })
    } else {
      await submit(other, "remove", { method: "app" })
      await submit(other, "enroll", { method: "app" })
      person.app.scan(other)
      await other.submitForm("mfa/confirm", { code: person.app.code(site.clock.now()) })
    }
    expect(await isAskedAgain(site, device)).toBe(true)
  },
)

test("a trusted device is no proof of the factor: what changes it asks again", async () => {
  const site = await siteOf()
  const person = await enrolled(site)
  const device = await signedIn(site, person, { trust: "yes" })
  await isAskedAgain(site, device)
  await submit(device, "remove", { method: "app" })
  expect(device.text).toContain("Confirm that it&#39;s you")
  expect(await site.server.isEnrolled(person.id)).toBe(true)
})

test("without the option, the box isn't there, and a forged one does nothing", async () => {
  const site = await siteOf({ trustedDevices: false })
  const person = await enrolled(site)
  const browser = await held(site)
  expect(browser.text).not.toContain("30 days")
  await answer(site, person, browser, { trust: "yes" })
  expect(site.store.rows().records.filter(({ kind }) => kind === "mfa.device")).toEqual([])
  expect(await isAskedAgain(site, browser)).toBe(true)
})

test("devices that were trusted before the option was turned off are asked", async () => {
  const site = await siteOf()
  const device = await signedIn(site, await enrolled(site), { trust: "yes" })
  const later = await site.another({ trustedDevices: false })
  const browser = await later.browse()
  for (const { name, value } of device.cookies.filter(({ name }) => name.includes("mfa")))
    expect(name && value).toBeTruthy()
  const tab = (await import("@latchkey/testing")).openBrowser({
    origin: "https://app.test",
    handle: async (request) => (await import("@latchkey/core")).Auth(request, later.config),
    clock: later.clock,
    jar: device.jar,
  })
  await device.signOut()
  expect(isHeld(await held(later, "ada", tab))).toBe(true)
  expect(await browser.session()).toBeNull()
})
