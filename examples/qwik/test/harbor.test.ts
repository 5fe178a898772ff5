import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { addAuthenticator } from "../../../tests/browser/authenticator.js"
import { inChromium } from "../../../tests/browser/chromium.js"
import { signInEachWay } from "../../../tests/browser/own-sign-in.js"
import { freePort } from "../../../tests/applications/processes.js"

const ada = { email: "ada@harbor.example", password: "bernoulli" }

inChromium("the Qwik example, started with one command", (visit) => {
  let child: ChildProcess
  let origin = ""
  let folder = ""

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "latchkey-example-qwik-"))
    const port = await freePort()
    origin = `http://localhost:${port}`
    const env = {
      PATH: process.env["PATH"] ?? "",
      AUTH_SECRET: "mZ4QvK1t8xY0cR7bN3sW9eH6jL2pD5gUa+fT1oXiVkE=",
      DATABASE_FILE: join(folder, "harbor.db"),
    }
    const cwd = fileURLToPath(new URL("..", import.meta.url))
    child = spawn(process.execPath, ["../start.mjs", "vite", "--mode", "ssr", "--port", String(port), "--strictPort"], {
      cwd,
      env,
    })
    const output: string[] = []
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (part) => {
          output.push(String(part))
          if (output.join("").includes(String(port))) resolve()
        })
      }
      child.once("exit", () => reject(new Error(`The example stopped:\n${output.join("")}`)))
    })
  })

  afterAll(async () => {
    if (child.exitCode === null) {
      child.kill()
      await once(child, "exit")
    }
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (path: string, javaScriptEnabled = true): Promise<Page> => {
    const { page } = await visit({ javaScriptEnabled })
    await page.goto(origin + path)
    return page
  }

  const enterPassword = async (page: Page, { email, password }: typeof ada) => {
    const form = page.locator("form", { has: page.getByLabel("Password") })
    await form.getByLabel("Email").fill(email)
    await form.getByLabel("Password").fill(password)
    await form.getByRole("button", { name: "Sign in" }).click()
  }

  test.each([true, false])(
    "a password opens the account page, and signing out closes it (JavaScript: %s)",
    async (scripts) => {
      const page = await open("/account/", scripts)
      await enterPassword(page, { ...ada, password: "babbage" })
      await page.getByText("Incorrect email or password.").waitFor()
      await enterPassword(page, ada)
      await page.waitForURL(`${origin}/account/`)
      expect(await page.locator("#email").innerText()).toBe(ada.email)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.waitForURL(`${origin}/`)
      await page.goto(`${origin}/account/`)
      expect(new URL(page.url()).pathname).toBe("/sign-in/")
    },
  )

  test("a new name is in the session at once", async () => {
    const page = await open("/sign-in/")
    await enterPassword(page, ada)
    await page.waitForURL(`${origin}/account/`)
    await page.getByLabel("Name").fill("Countess of Lovelace")
    await page.getByRole("button", { name: "Save" }).click()
    await page.locator("#name", { hasText: "Countess of Lovelace" }).waitFor()
    expect(await page.locator(".user-name").innerText()).toBe("Countess of Lovelace")
  })

  test("the link in an email signs in", async () => {
    const page = await open("/sign-in/")
    const form = page.locator("form", { has: page.getByRole("button", { name: "Email me a link" }) })
    await form.getByLabel("Email").fill("new@harbor.example")
    await form.getByRole("button").click()
    await page.waitForURL(/\/check-your-email\//)
    await page.goto(`${origin}/outbox/`)
    await page.getByRole("link", { name: "Sign-in link for new@harbor.example" }).click()
    await page.waitForURL(`${origin}/account/`)
    expect(await page.locator("#email").innerText()).toBe("new@harbor.example")
  })

  test("an OpenID provider signs in", async () => {
    const page = await open("/sign-in/")
    await page.getByRole("button", { name: "Continue with OpenID" }).click()
    await page.getByRole("button", { name: /Grace/ }).click()
    await page.waitForURL(`${origin}/account/`)
    expect(await page.locator("#accounts").innerText()).toBe("openid")
  })

  test("the sign-in page of the guide signs in each way", async () => {
    const { page } = await visit()
    await signInEachWay(page, { origin, slash: "/" })
  })

  test("a passkey that was added signs in", async () => {
    const page = await open("/sign-in/")
    await addAuthenticator(page)
    await enterPassword(page, { email: "grace@harbor.example", password: "nanosecond" })
    await page.waitForURL(`${origin}/account/`)
    await page.getByRole("button", { name: "Add a passkey" }).click()
    await page.locator("#accounts", { hasText: "passkey" }).waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await page.waitForURL(`${origin}/account/`)
    expect(await page.locator("#email").innerText()).toBe("grace@harbor.example")
  })
})
