import type { AccountEmail, AuthConfig } from "@latchkey/core/types"
import { sqlite } from "@latchkey/sql/sqlite"
import { type Browser, testModule, type TestModuleOptions } from "@latchkey/testing"
import { describe, test } from "vitest"
import { password } from "../src/index.js"
import { store } from "./site.js"

const sent: AccountEmail[] = []

const email: AuthConfig["providers"][number] = {
  id: "email",
  name: "Email",
  type: "email",
  sendVerificationRequest: () => undefined,
  sendAccountEmail: (message: AccountEmail) => void sent.push(message),
}

const stores = { "passwords in memory": store, "passwords in SQLite": () => sqlite(":memory:") }

for (const [name, adapter] of Object.entries(stores)) testModule(subject(name, adapter), { describe, test })

function subject(name: string, adapter: TestModuleOptions["adapter"]): TestModuleOptions {
  return {
    name,
    create: () => password({ breached: false, hashing: { parallel: 4, waiting: 1000 } }),
    adapter,
    config: { providers: [email], url: "https://app.test/auth" },
    revokeReason: "breached-password",
    async enroll({ browser, server, userId }) {
      const chosen = `tuba gravel oyster ${crypto.randomUUID()}`
      const before = sent.length
      await browser.get("/auth/account")
      await browser.submitForm("password/set")
      const message = sent.slice(before).find(({ letter }) => letter?.link !== undefined)
      const link = message?.letter?.link
      if (message === undefined || link === undefined) throw new Error("No link was sent")
      await browser.get(link.url)
      await browser.submitForm("callback/password", { newPassword: chosen })
      if (!(await signsIn(browser, message.identifier, chosen))) throw new Error("The password doesn't work")
      // A wrong password is an error in the log, which the suite takes for one of the module.
      return { secrets: [chosen], works: async () => (await server.members["password"]?.["has"]?.(userId)) === true }
    },
  }
}

async function signsIn(browser: Browser, email: string, password: string): Promise<boolean> {
  const other = browser.fresh()
  await other.signIn("password", { email, password })
  return (await other.session()) !== null
}
