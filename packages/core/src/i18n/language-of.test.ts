import { describe, expect, test } from "vitest"
import { compile } from "../../test/compile.js"
import { languageOf } from "./language-of.js"
import { english } from "./languages/en.js"
import { german } from "./languages/de.js"
import type { I18nOptions } from "./options.js"

const { logger } = compile({
  secret: "0f6a1c9be27d4385f0a9c6e1d3b74258",
  providers: [],
  logger: { warn: () => undefined },
})

interface Asking {
  readonly locales?: string
  readonly cookies?: Readonly<Record<string, string>>
  readonly accept?: string
}

function ask({ locales, cookies = {}, accept }: Asking, i18n: I18nOptions = {}) {
  const headers = new Headers(accept === undefined ? {} : { "accept-language": accept })
  const query = locales === undefined ? {} : { ui_locales: locales }
  return languageOf({ i18n, logger }, { query, cookies: new Map(Object.entries(cookies)), headers })
}

describe("the language of a visitor", () => {
  test.each<[string, Asking, string]>([
    ["is English if the request doesn't say", {}, "en"],
    ["is that of the browser", { accept: "de-AT,de;q=0.9" }, "de"],
    ["is that of the application's cookie", { cookies: { NEXT_LOCALE: "fr" }, accept: "de" }, "fr"],
    ["is that of the first cookie", { cookies: { PARAGLIDE_LOCALE: "it", NEXT_LOCALE: "fr" } }, "fr"],
    ["is that of `ui_locales`", { locales: "ja", cookies: { NEXT_LOCALE: "fr" }, accept: "de" }, "ja"],
    [
      "is that of the browser if no other is offered",
      { locales: "sw", cookies: { NEXT_LOCALE: "x" }, accept: "de" },
      "de",
    ],
  ])("%s", async (_, asking, tag) => expect((await ask(asking)).tag).toBe(tag))

  test("is one of `locales`, else the default", async () => {
    const i18n = { locales: ["fr", "de"], defaultLocale: "fr" }
    expect((await ask({ accept: "de" }, i18n)).tag).toBe("de")
    expect((await ask({ accept: "en" }, i18n)).tag).toBe("fr")
    expect((await ask({}, i18n)).tag).toBe("fr")
  })

  test("can be in another cookie, or in none", async () => {
    const cookies = { NEXT_LOCALE: "fr", lang: "de" }
    expect((await ask({ cookies }, { cookies: ["lang"] })).tag).toBe("de")
    expect((await ask({ cookies }, { cookies: [] })).tag).toBe("en")
  })
})

describe("texts of the application", () => {
  test("replace those of a language, and leave the others", async () => {
    const { messages } = await ask({ accept: "de" }, { messages: { de: { signin: { button: "Los" } } } })
    expect(messages).toEqual({ ...german, signin: { ...german.signin, button: "Los" } })
  })

  test("complete a variant from its language", async () => {
    const { tag, messages } = await ask({ accept: "de-CH" }, { messages: { "de-CH": { signin: { button: "Los" } } } })
    expect(tag).toBe("de-CH")
    expect(messages.signin).toEqual({ ...german.signin, button: "Los" })
  })

  test("add a language, whose other texts are English", async () => {
    const i18n = { messages: { sw: { signin: { button: "Ingia" } }, fa: {} } }
    const { tag, direction, messages } = await ask({ accept: "sw" }, i18n)
    expect([tag, direction]).toEqual(["sw", "ltr"])
    expect(messages.signin).toEqual({ ...english.signin, button: "Ingia" })
    expect((await ask({ accept: "fa" }, i18n)).direction).toBe("rtl")
  })

  test("that aren't texts or have no place are left out", async () => {
    const own: unknown = { signin: { button: 7, title: null, unknown: "x" }, mail: "x", __proto__: { or: "x" } }
    const messages = { en: own as NonNullable<I18nOptions["messages"]>[string] }
    expect((await ask({}, { messages })).messages).toEqual(english)
  })
})

test("a language is loaded and completed once", async () => {
  const i18n = { messages: { de: { signin: { button: "Los" } } } }
  expect(await ask({ accept: "de" }, i18n)).toBe(await ask({ locales: "de-AT" }, i18n))
})
