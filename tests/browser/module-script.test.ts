import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { defineModule, route } from "@latchkey/core/module"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, type Server } from "@latchkey/core/server"
import { captureLog } from "@latchkey/testing"
import { expect, test } from "vitest"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { inChromium } from "./chromium.js"
import { serve, type Web } from "./web.js"

/** Asks its module for a hint, and shows it above the form. */
const script = `
const heading = document.querySelector("h1")
const hint = document.createElement("p")
hint.id = "hint"
fetch("/auth/riddle/hint").then((response) => response.json()).then((text) => {
  for (let at = 0; at < text.length; at++) hint.textContent += text[at]
  heading.after(hint)
})`

const riddle = () =>
  defineModule({
    id: "riddle",
    load: async () => ({
      script,
      routes: [route("GET", "hint", { session: "none" }, ({ json }) => json("It's a number"))],
      factor: {
        amr: ["riddle"],
        isRequired: () => true,
        form: () => ({ title: "A riddle", fields: { answer: { label: "Answer" } }, submit: "Continue" }),
        verify: (_context, _attempt, { answer }) => answer === "42" || "Wrong.",
      },
    }),
  })

async function openSite(): Promise<Web> {
  let auth: Server | undefined
  const web = await serve((request) => auth?.handle(request) ?? new Response(null, { status: 503 }), "localhost")
  const adapter = memoryAdapter()
  const user = await adapter.createUser({ id: "ada", name: "Ada", email: "ada@example.test", emailVerified: null })
  auth = createServer({
    security: "strict",
    secret: strongSecret,
    url: `${web.origin}/auth`,
    adapter,
    session: { strategy: "jwt" },
    logger: captureLog().logger,
    providers: [credentials({ credentials: { name: { label: "Name" } }, authorize: () => user })],
    modules: [riddle()],
  })
  return web
}

inChromium("the script of a module", (visit) => {
  test.each([true, false])("improves its page under the policy, and isn't needed: scripts %s", async (scripts) => {
    const { origin } = await openSite()
    const { page, complaints } = await visit({ javaScriptEnabled: scripts })
    await page.goto(`${origin}/auth/signin?callbackUrl=/auth/account`)
    await page.getByLabel("Name").fill("ada")
    await page.locator("button[type=submit]").click()
    await page.getByRole("heading", { name: "A riddle" }).waitFor()
    if (scripts) await page.locator("#hint", { hasText: "It's a number" }).waitFor()
    else expect(await page.locator("#hint").count()).toBe(0)
    await page.getByLabel("Answer").fill("42")
    await page.getByRole("button", { name: "Continue" }).click()
    await page.waitForURL(`${origin}/auth/account`)
    expect(await page.locator("#hint").count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
