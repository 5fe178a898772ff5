import { fileURLToPath } from "node:url"
import type { AuthorizationAnswer, Browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { browse } from "../applications/http.js"
import { inChromium } from "../browser/chromium.js"
import { application, packages, run } from "./application.js"

const app = application()
const { deploy } = app

const ada = { name: "ada", email: "ada@users.test" }
const linus = { name: "Linus Pauling", email: "linus@example.test" }
const typed = { name: "ada", password: "open sesame" }

/** The same session in the page, from an endpoint that reads it, and from the session route. */
function everywhere(user: object): readonly unknown[] {
  const session = { user: expect.objectContaining(user), expires: expect.any(String) }
  return [session, session, session]
}

async function sessions(browser: Browser): Promise<readonly unknown[]> {
  await browser.get("/")
  const shown = /<pre[^>]*id="session"[^>]*>(.*?)<\/pre>/s.exec(browser.text)?.[1] ?? ""
  const read: unknown = await (await browser.fetch("/session")).json()
  const given: unknown = await (await browser.fetch("/auth/session")).json()
  return [JSON.parse(shown.replaceAll(/<!--.*?-->/gs, "").replaceAll("&quot;", '"')), read, given]
}

function visitor(origin: string): Browser {
  return browse(origin, "/auth")
}

async function signedIn(origin: string): Promise<Browser> {
  const browser = visitor(origin)
  await browser.get("/")
  await browser.submitForm("password", typed)
  return browser
}

/** Submits the form for the provider, and consents there. */
async function authorize(browser: Browser): Promise<AuthorizationAnswer> {
  await browser.get("/")
  await browser.submitForm("acme")
  return app.op.authorize(browser.location, { as: "linus" })
}

async function signedInWith(origin: string): Promise<Browser> {
  const browser = visitor(origin)
  await browser.follow(await authorize(browser), app.op.issuer)
  return browser
}

describe.each([
  { from: packages[0], to: packages[1] },
  { from: packages[1], to: packages[0] },
])("an application of $from that is swapped to $to", ({ from = "@auth/sveltekit", to = "@auth/sveltekit" }) => {
  test("keeps a JWT session, also after rolling back, until the user signs out", async () => {
    const browser = await signedIn(await deploy(from))
    expect(await sessions(browser)).toEqual(everywhere(ada))
    await deploy(to)
    expect(await sessions(browser)).toEqual(everywhere(ada))
    await deploy(from)
    expect(await sessions(browser)).toEqual(everywhere(ada))
    await deploy(to)
    await browser.get("/")
    await browser.submitForm("leave")
    expect(await sessions(browser)).toEqual([null, null, null])
    await deploy(from)
    expect(await sessions(browser)).toEqual([null, null, null])
  })

  test("answers a form that signs in or out with status 302", async () => {
    for (const name of [from, to]) {
      const browser = await signedIn(await deploy(name))
      expect(browser.trail[0]?.status).toBe(302)
      await browser.get("/")
      await browser.submitForm("leave")
      expect(browser.trail[0]?.status).toBe(302)
    }
  })

  test("keeps a session in the database, until the user signs out", async () => {
    const browser = await signedInWith(await deploy(from, "database"))
    expect(await sessions(browser)).toMatchObject(everywhere(linus))
    await deploy(to, "database")
    expect(await sessions(browser)).toMatchObject(everywhere(linus))
    await browser.get("/")
    await browser.submitForm("leave")
    await deploy(from, "database")
    expect(await sessions(browser)).toEqual([null, null, null])
  })

  test("accepts an email link that was sent before", async () => {
    const browser = visitor(await deploy(from))
    const before = app.services.links.length
    await browser.get("/")
    await browser.submitForm("email", { email: "grace@users.test" })
    expect(app.services.links).toHaveLength(before + 1)
    await deploy(to)
    await browser.get(app.services.links[before] ?? "")
    if (browser.forms.length > 0 && !browser.location.includes("/private")) await browser.submitForm(0)
    expect(await sessions(browser)).toMatchObject(everywhere({ email: "grace@users.test" }))
  })

  test("accepts a form that was open", async () => {
    const browser = visitor(await deploy(from))
    await browser.get("/login")
    await deploy(to)
    await browser.submitForm("password", typed)
    expect(await sessions(browser)).toEqual(everywhere(ada))
  })
})

test("a sign-in at the provider that began with @auth/sveltekit ends in a session", async () => {
  const browser = visitor(await deploy("@auth/sveltekit"))
  const answer = await authorize(browser)
  await deploy("@latchkey/sveltekit")
  await browser.follow(answer, app.op.issuer)
  expect(await sessions(browser)).toMatchObject(everywhere(linus))
})

describe.each(packages)("with %s", (name) => {
  test("an action gets the error of a refused sign-in, and shows it", async () => {
    const browser = visitor(await deploy(name))
    await browser.get("/login")
    await browser.submitForm("password", { ...typed, name: "locked" })
    expect(browser.response.status).toBe(401)
    expect(browser.text).toContain("CredentialsSignin locked")
  })

  test("a hook reads the session, and protects a page", async () => {
    const browser = visitor(await deploy(name))
    await browser.get("/private")
    expect(new URL(browser.location).pathname).toBe("/login")
    const user = await signedIn(await deploy(name))
    await user.get("/private")
    expect(user.text).toContain(ada.email)
  })

  test("an application keeps its own page at the path of the account page", async () => {
    const browser = visitor(await deploy(name))
    await browser.get("/auth/account")
    expect(browser.text).toContain("A page of the application")
  })

  test("the application compiles with its types", async () => {
    const folder = app.built(name)
    const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url))
    await run(folder, [process.execPath, "node_modules/@sveltejs/kit/svelte-kit.js", "sync"])
    expect(await run(folder, [process.execPath, compiler, "--noEmit"])).toBe("")
  })
})

test("with @latchkey/sveltekit, an error that the action doesn't catch leads to the page that explains it", async () => {
  const browser = visitor(await deploy("@latchkey/sveltekit"))
  await browser.get("/")
  await browser.submitForm("password", { ...typed, password: "wrong" })
  const page = new URL(browser.location)
  expect([page.pathname, page.searchParams.get("error")]).toEqual(["/auth/signin", "CredentialsSignin"])
})

inChromium("in a browser", (visit) => {
  test.each(packages)("with %s, components and scripts sign in and out", async (name) => {
    const origin = await deploy(name)
    const { page } = await visit()
    await page.goto(origin, { waitUntil: "networkidle" })
    await page.getByRole("button", { name: "Password by script" }).click()
    await page.waitForURL(`${origin}/private`)
    await page.goto(origin, { waitUntil: "networkidle" })
    await page.getByRole("button", { name: "Sign out by script" }).click()
    await page.getByRole("button", { name: "Acme by script" }).click()
    await page.getByRole("button", { name: "Linus Pauling" }).click()
    await page.waitForURL(`${origin}/private`)
    await page.goto(origin, { waitUntil: "networkidle" })
    await page.getByRole("button", { name: "Leave" }).click()
    await page.locator("#password").waitFor()
    await page.getByLabel("Name").fill("ada")
    await page.getByLabel("Password").fill("open sesame")
    await page.getByRole("button", { name: "Enter" }).click()
    await page.waitForURL(`${origin}/private`)
    expect(await page.locator("#private").innerText()).toBe(ada.email)
  })

  test("with @latchkey/sveltekit, a script that sends a wrong password goes to the page that explains it", async () => {
    const origin = await deploy("@latchkey/sveltekit")
    const { page } = await visit()
    await page.goto(origin, { waitUntil: "networkidle" })
    await page.getByLabel("Name").fill("ada")
    await page.getByLabel("Password").fill("wrong")
    await page.getByRole("button", { name: "Enter" }).click()
    await page.waitForURL(`${origin}/auth/signin?**error=CredentialsSignin**`)
    await page.getByLabel("Password").fill("open sesame")
    await page.getByLabel("Name").fill("ada")
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.waitForURL(`${origin}/private`)
  })
})
