import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { Browser, ModuleSubject } from "@latchkey/testing"
import { codeAt, stepAt } from "../../../../examples/module-totp/src/codes.js"
import { totp } from "../../../../examples/module-totp/src/totp.js"

/** The example module, and how a user sets an authenticator app up. */
export const authenticatorApp: ModuleSubject = {
  create: totp,
  adapter: memoryAdapter,
  revokeReason: "lost-factor",
  async enroll({ browser, now }) {
    await browser.get("/auth/account")
    await browser.submitForm("totp/enroll")
    const [seed = ""] = codesIn(browser)
    const code = () => ({ code: codeAt(seed, stepAt(now())) })
    await browser.submitForm("totp/confirm", code())
    const recovery = codesIn(browser)
    if (recovery.length !== 10) throw new Error("The page shows no recovery codes")
    return { answer: code, secrets: recovery }
  },
}

function codesIn({ text }: Browser): readonly string[] {
  return [...text.matchAll(/<li>([A-Z2-7]{16,})<\/li>/g)].map(([, code = ""]) => code)
}
