import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { mfa } from "@latchkey/mfa"
import { type Browser, type Enrolling, type ModuleSubject, testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { codesOn, phone, type Phone } from "./phone.js"

/** Users keep their app if the server fails. */
const phones = new Map<string, Phone>()

async function enroll({ browser, userId, now }: Enrolling) {
  const app = phones.get(userId) ?? phone()
  phones.set(userId, app)
  const recovery = await setUp(browser, app, now)
  if (recovery.length !== 10) throw new Error(`The page shows no recovery codes: ${browser.location}`)
  const [last = "", ...rest] = recovery
  const device = browser.fresh()
  await device.signIn("credentials", { id: userId })
  await device.submitForm("auth/factor", { code: last, trust: "yes" })
  const works = async () => {
    await device.signOut()
    await device.signIn("credentials", { id: userId })
    return (await device.session()) !== null
  }
  if (!(await works())) throw new Error("A recovery code doesn't sign in and trust the device")
  return {
    answer: () => ({ code: app.code(now()) }),
    works,
    secrets: [...rest, last, app.key],
  }
}

/** A user whose app was confirmed before the server failed gets new recovery codes. */
async function setUp(browser: Browser, app: Phone, now: () => number): Promise<readonly string[]> {
  await browser.get("/auth/account")
  if (browser.forms.every(({ action }) => !action.endsWith("mfa/regenerate"))) {
    await browser.submitForm("mfa/enroll")
    app.scan(browser)
    await browser.submitForm("mfa/confirm", { code: app.code(now()) })
    return codesOn(browser)
  }
  await browser.submitForm("mfa/regenerate")
  if (codesOn(browser).length === 0) {
    await browser.submitForm("mfa/verify", { code: app.code(now()) })
    await browser.submitForm("mfa/regenerate")
  }
  return codesOn(browser)
}

const subject: ModuleSubject = { create: mfa, adapter: memoryAdapter, enroll }

testModule({ name: "mfa", ...subject }, { describe, test })
