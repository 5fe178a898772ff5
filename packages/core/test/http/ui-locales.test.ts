import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { AuthConfig } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { mailbox } from "../flows/signin/setup.js"

const password = credentials({ credentials: { name: {}, secret: { type: "password" } }, authorize: () => null })

const languageIn = (text: string) => /<html lang="([^"]+)"/.exec(text)?.[1]

async function site(more: Partial<AuthConfig> = {}, accept = "en") {
  const mail = mailbox()
  const config = { providers: [password, mail.provider], adapter: memoryAdapter(), ...more }
  return visit({ session: { strategy: "jwt" }, ...config }, { headers: { "accept-language": accept } })
}

describe("`ui_locales`", () => {
  test("stays through a failed sign-in", async () => {
    const browser = await site()
    await browser.get("/auth/signin?ui_locales=de")
    await browser.submitForm("callback/credentials", { name: "ada", secret: "wrong" })
    expect(browser.location).toBe("https://app.test/auth/signin?error=CredentialsSignin&code=credentials&ui_locales=de")
    expect(languageIn(browser.text)).toBe("de")
    expect(browser.text).toContain("Anmeldung fehlgeschlagen.")
    await browser.submitForm("callback/credentials", { name: "ada", secret: "wrong" })
    expect(languageIn(browser.text)).toBe("de")
  })

  test("stays on the page for the code of an email, and after a wrong code", async () => {
    const browser = await site()
    await browser.get("/auth/signin?ui_locales=ja%20de")
    await browser.submitForm("signin/email", { email: "ada@example.test" })
    expect(languageIn(browser.text)).toBe("ja")
    await browser.submitForm("callback/email", { code: "000000" })
    expect(new URL(browser.location).searchParams.get("error")).toBe("Verification")
    expect(languageIn(browser.text)).toBe("ja")
  })

  test("is in the link of an email, so the confirmation has the same language", async () => {
    const mail = mailbox()
    const browser = await site({ providers: [mail.provider] })
    await browser.get("/auth/signin?ui_locales=fr")
    await browser.submitForm("signin/email", { email: "ada@example.test" })
    const elsewhere = browser.fresh()
    await elsewhere.get(mail.link())
    expect(languageIn(elsewhere.text)).toBe("fr")
  })

  test("reaches the provider", async () => {
    const op = createProvider()
    const browser = await site({ providers: [op.provider()] })
    await browser.get("/auth/signin?ui_locales=de")
    await browser.submitForm(`signin/${op.provider().id}`)
    expect(new URL(browser.location).searchParams.get("ui_locales")).toBe("de")
  })

  test.each([
    "%22%3E%3Cscript%3E",
    "de%0d%0aset-cookie:%20a=b",
    "de%26error=x",
    "../../de",
    `${"de%20".repeat(100)}de`,
    "%20",
  ])("isn't repeated if it isn't a list of tags: %s", async (locales) => {
    const browser = await site()
    await browser.get(`/auth/signin?ui_locales=${locales}`)
    expect(browser.response.status).toBe(200)
    expect(browser.text).not.toContain("ui_locales")
    expect(browser.text).not.toContain("<script>")
  })

  test("is absent from forms and redirects if the page doesn't have it", async () => {
    const browser = await site({}, "de")
    await browser.get("/auth/signin")
    expect(languageIn(browser.text)).toBe("de")
    await browser.submitForm("callback/credentials", { name: "ada", secret: "wrong" })
    expect(browser.location).toBe("https://app.test/auth/signin?error=CredentialsSignin&code=credentials")
  })
})

test("a page without a language in the request is in English, and no cache keeps it", async () => {
  const browser = await visit({ providers: [password] })
  await browser.get("/auth/signin")
  expect(browser.text).toContain('<html lang="en">')
  expect(browser.response.headers.get("cache-control")).toContain("no-store")
})

test("unknown texts and placeholders of the application are logged once", async () => {
  const warnings: string[] = []
  const logger = { warn: (code: string, detail?: string) => void warnings.push(`${code} ${detail}`) }
  const own: unknown = { signin: { titel: "Los", heading: "Los, {name}" } }
  const messages = { de: own as NonNullable<NonNullable<AuthConfig["i18n"]>["messages"]>[string] }
  const browser = await site({ logger, i18n: { messages } }, "de")
  for (let count = 0; count < 2; count++) await browser.get("/auth/signin")
  expect(warnings.filter((text) => text.includes("i18n"))).toEqual([
    "invalid-option i18n.messages.de.signin.titel: There is no such text. Correct its name",
    "invalid-option i18n.messages.de.signin.heading: The text has no placeholder {name}. Use those of the English text",
  ])
})
