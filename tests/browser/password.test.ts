import { createServer, type Server } from "@latchkey/core/server"
import type { AccountEmail } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { strongSecret } from "../../packages/core/test/modes/setup.js"
import { password } from "../../packages/password/src/index.js"
import { store } from "../../packages/password/test/site.js"
import { findings } from "../pages/audit.js"
import { inChromium } from "./chromium.js"
import { serve, type Web } from "./web.js"

const email = "ada@example.test"
const [good, better] = ["tuba gravel oyster ninety", "violin meadow copper thirty"]

interface Site extends Web {
  readonly sent: readonly AccountEmail[]
}

async function openSite(): Promise<Site> {
  let auth: Server | undefined
  const sent: AccountEmail[] = []
  const web = await serve((request) => auth?.handle(request) ?? new Response(null, { status: 503 }), "localhost")
  auth = createServer({
    secret: strongSecret,
    trustHost: true,
    adapter: store(),
    providers: [
      {
        id: "email",
        name: "Email",
        type: "email",
        sendVerificationRequest: () => undefined,
        sendAccountEmail: (message: AccountEmail) => void sent.push(message),
      },
    ],
    modules: [password({ breached: false })],
    logger: captureLog().logger,
  })
  return { ...web, sent }
}

/** Saves a picture, if the environment names a folder. */
async function looked(page: Page, name: string): Promise<readonly string[]> {
  const folder = process.env["PICTURES"]
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  return findings(page)
}

inChromium("passwords in a browser", (visit) => {
  for (const javaScriptEnabled of [true, false]) {
    test(`sign up, sign in, reset and change ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
      const site = await openSite()
      const { page, complaints } = await visit({ javaScriptEnabled, viewport: { width: 400, height: 800 } })
      const check = async (name: string) => expect(javaScriptEnabled ? await looked(page, name) : [], name).toEqual([])
      const link = () => site.sent.findLast(({ letter }) => letter?.link !== undefined)?.letter?.link?.url ?? ""
      await page.goto(`${site.origin}/auth/signin`)
      await check("sign-in")
      await page.click("text=Create an account")
      await check("sign-up")
      await page.fill("[name=email]", email)
      await page.fill("[name=password]", "passwordpassword")
      await page.click("button[type=submit]")
      await check("refused")
      await page.fill("[name=password]", good)
      if (javaScriptEnabled) {
        await page.check("text=Show password")
        expect(await page.getAttribute("[name=password]", "type")).toBe("text")
        await check("shown")
      }
      await page.click("button[type=submit]")
      await check("sent")
      await page.goto(link())
      expect(new URL(page.url()).search).toBe("")
      await check("confirm")
      await page.click("button[type=submit]")
      await page.goto(`${site.origin}/auth/account`)
      await check("account")
      await page.click("text=Change password")
      await check("change")
      await page.fill("[name=password]", good)
      await page.fill("[name=newPassword]", better)
      await page.click("button[type=submit]")
      expect(new URL(page.url()).pathname).toBe("/auth/account")
      await page.context().clearCookies()
      await page.goto(`${site.origin}/auth/password/forgot`)
      await check("forgot")
      await page.fill("[name=email]", email)
      await page.click("button[type=submit]")
      await page.goto(link())
      await check("choose")
      await page.fill("[name=newPassword]", good)
      await page.click("button[type=submit]")
      await page.goto(`${site.origin}/auth/account`)
      expect(await page.textContent("body")).toContain("You chose your password on")
      expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([])
    })
  }
})
