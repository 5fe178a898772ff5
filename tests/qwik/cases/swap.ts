import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Visit } from "../../browser/chromium.js"
import { freePort, type Site } from "../../applications/processes.js"
import { send } from "../../applications/http.js"
import type { Application } from "../application.js"
import type { Package } from "../build.js"
import { authorize, sessions, signedIn, signedInWith, visitor } from "../visitor.js"
import { enterPassword, shows } from "./sign-in.js"

/** The packages that the application is built with. It imports both under the name `@auth/qwik`. */
export const packages: readonly Package[] = ["@auth/qwik", "@latchkey/qwik"]

const ada = { name: "ada", email: "ada@users.test" }
const linus = { name: "Linus Pauling", email: "linus@example.test" }

/** The same session in the page, in `sharedMap` and at its endpoint. */
function everywhere(user: object): readonly unknown[] {
  const session = { user: expect.objectContaining(user), expires: expect.any(String) }
  return [session, session, session]
}

type Deploy = (name: Package, strategy?: "jwt" | "database") => Promise<string>

/** Replaces the running application at the same URL. */
export function deployments(app: Application): Deploy {
  let port: number
  let site: Site | undefined

  beforeAll(async () => {
    port = await freePort()
  })

  afterAll(async () => site?.stop())

  return async (name, strategy = "jwt") => {
    await site?.stop()
    site = await app.deploy(name, port, { STRATEGY: strategy })
    return site.origin
  }
}

export function swap(app: Application, deploy: Deploy): void {
  describe.each([
    { from: packages[0], to: packages[1] },
    { from: packages[1], to: packages[0] },
  ])("from $from to $to", ({ from = "@auth/qwik", to = "@auth/qwik" }) => {
    test("a JWT session goes on, also after rolling back, until the user signs out", async () => {
      const browser = await signedIn(await deploy(from))
      expect(await sessions(browser)).toEqual(everywhere(ada))
      await deploy(to)
      expect(await sessions(browser)).toEqual(everywhere(ada))
      const before = await deploy(from)
      expect(await sessions(browser)).toEqual(everywhere(ada))
      expect(await deploy(to)).toBe(before)
      await browser.get("/")
      await browser.submitForm("leave")
      expect(await sessions(browser)).toEqual([null, null, null])
      await deploy(from)
      expect(await sessions(browser)).toEqual([null, null, null])
    })

    test("a session in the database goes on, until the user signs out", async () => {
      const browser = await signedInWith(app, await deploy(from, "database"))
      expect(await sessions(browser)).toMatchObject(everywhere(linus))
      await deploy(to, "database")
      expect(await sessions(browser)).toMatchObject(everywhere(linus))
      await browser.get("/")
      await browser.submitForm("leave")
      await deploy(from, "database")
      expect(await sessions(browser)).toEqual([null, null, null])
    })

    test("an email link that was sent before the switch signs in", async () => {
      const browser = visitor(await deploy(from))
      const before = app.services.links.length
      await browser.get("/login/")
      await browser.submitForm("email", { "options.email": "grace@users.test" })
      expect(app.services.links).toHaveLength(before + 1)
      await deploy(to)
      await browser.get(app.services.links[before] ?? "")
      if (browser.forms.length > 0 && !browser.location.includes("/private")) await browser.submitForm(0)
      expect(await sessions(browser)).toMatchObject(everywhere({ email: "grace@users.test" }))
    })

    test("a form that was open during the switch signs in", async () => {
      const browser = visitor(await deploy(from))
      await browser.get("/login/")
      await deploy(to)
      await browser.submitForm("password", { "options.name": "ada", "options.password": "open sesame" })
      expect(await sessions(browser)).toEqual(everywhere(ada))
    })
  })

  test("a sign-in at the provider that began with @auth/qwik ends in a session", async () => {
    const browser = visitor(await deploy("@auth/qwik"))
    const answer = await authorize(app, browser, "linus")
    await deploy("@latchkey/qwik")
    await browser.follow(answer, app.op.issuer)
    expect(await sessions(browser)).toMatchObject(everywhere(linus))
  })

  test.each(packages)("setEnvDefaults of %s writes the values of variables into the configuration", async (name) => {
    const { text } = await send(await deploy(name), "/api/defaults/")
    expect(JSON.parse(text)).toEqual({
      basePath: "/auth",
      secret: ["new", "old"],
      trustHost: true,
      redirectProxyUrl: "https://proxy.test/auth",
      skips: true,
      providers: [
        { id: "op", clientId: "id", clientSecret: "secret", issuer: "https://op.test" },
        { id: "resend", apiKey: "key" },
      ],
    })
  })

  test.each(packages)("the application compiles with the types of %s", (name) => {
    const { folder } = app.built(name)
    const compiler = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url))
    const { stdout, status } = spawnSync(process.execPath, [compiler, "--noEmit"], { cwd: folder, encoding: "utf8" })
    expect(stdout).toBe("")
    expect(status).toBe(0)
  })
}

export function swapInChromium(deploy: Deploy, visit: Visit): void {
  describe.each(packages)("with %s", (name) => {
    test("forms and scripts sign in and out", async () => {
      const origin = await deploy(name)
      const { page } = await visit()
      await page.goto(`${origin}/login/`)
      await enterPassword(page, "wrong")
      await page.waitForURL(`${origin}/auth/signin?error=CredentialsSignin&code=credentials**`)
      await page.goto(`${origin}/login/`)
      await enterPassword(page, "open sesame")
      await page.waitForURL(`${origin}/private/`)
      await shows(page, "#private", ada.email)
      await page.getByRole("button", { name: "Sign out by script" }).click()
      await page.waitForURL(`${origin}/?left`)
      await shows(page, "#user", "signed out")
      await page.goto(`${origin}/login/`)
      await page.getByRole("button", { name: "Acme by script" }).click()
      await page.getByRole("button", { name: "Linus Pauling" }).click()
      await shows(page, "#private", linus.email)
    })

    test("invalid input results in the same failure, with texts in an array as the types say", async () => {
      const origin = await deploy(name)
      const { page } = await visit()
      await page.goto(`${origin}/login/`)
      await page.getByRole("button", { name: "Send invalid options" }).click()
      await shows(page, "output", "failed")
      const text = "Expected object, received string"
      expect(JSON.parse(await page.locator("output").innerText())).toEqual({
        status: 400,
        value: { failed: true, formErrors: [], fieldErrors: { options: name === "@auth/qwik" ? text : [text] } },
      })
    })
  })
}
