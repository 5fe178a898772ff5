import { expect, test } from "vitest"
import { languageFor } from "../i18n/language.js"
import { english } from "../i18n/languages/en.js"
import { german } from "../i18n/languages/de.js"
import { mailLanguageFor } from "./texts.js"

const own = { de: { button: "Los" }, pt_BR: { button: "Entrar!" }, sw: { button: "Ingia" } }

function asking(accept: string): { readonly request: Request } {
  return { request: new Request("https://app.test/auth/signin/email", { headers: { "accept-language": accept } }) }
}

test.each([
  ["", "en"],
  ["fr-CA", "fr"],
  ["de-AT", "de"],
  ["pt", "pt-BR"],
  ["sw", "sw"],
  ["xx, sw;q=0.5, fr;q=0.4", "sw"],
])("an email for the header %j is in %s", async (accept, tag) => {
  expect((await mailLanguageFor(asking(accept), own)).tag).toBe(tag)
})

test("texts that are left out are those of the same language, else English", async () => {
  expect((await mailLanguageFor(asking("de"), own)).texts).toEqual({ ...german.mail.signIn, button: "Los" })
  expect((await mailLanguageFor(asking("sw"), own)).texts).toEqual({ ...english.mail.signIn, button: "Ingia" })
})

test("texts that aren't text are left out", async () => {
  const texts: object = { de: { button: undefined, subject: 7 } }
  expect((await mailLanguageFor(asking("de"), { ...texts })).texts).toEqual(german.mail.signIn)
})

test("the language of the user, with the application's texts, is the base of the provider's own", async () => {
  const i18n = { messages: { de: { mail: { signIn: { subject: "Betreff" } } } } }
  const message = { ...asking("fr"), language: await languageFor(i18n, ["de"]), languages: ["de"] }
  expect((await mailLanguageFor(message, own)).texts).toEqual({
    ...german.mail.signIn,
    subject: "Betreff",
    button: "Los",
  })
  expect((await mailLanguageFor(message)).texts.subject).toBe("Betreff")
})
