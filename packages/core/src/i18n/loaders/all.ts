import type { Messages } from "../messages.js"
import type { BuiltInTag } from "../tags.js"

/** Each language loads on first use, so a process keeps only the languages of its users. English is part of the engine. */
export const loaders: Readonly<Record<string, () => Promise<Messages>>> = {
  ar: async () => (await import("../languages/ar.js")).arabic,
  cs: async () => (await import("../languages/cs.js")).czech,
  da: async () => (await import("../languages/da.js")).danish,
  de: async () => (await import("../languages/de.js")).german,
  es: async () => (await import("../languages/es.js")).spanish,
  fi: async () => (await import("../languages/fi.js")).finnish,
  fr: async () => (await import("../languages/fr.js")).french,
  he: async () => (await import("../languages/he.js")).hebrew,
  hi: async () => (await import("../languages/hi.js")).hindi,
  id: async () => (await import("../languages/id.js")).indonesian,
  it: async () => (await import("../languages/it.js")).italian,
  ja: async () => (await import("../languages/ja.js")).japanese,
  ko: async () => (await import("../languages/ko.js")).korean,
  nb: async () => (await import("../languages/nb.js")).norwegian,
  nl: async () => (await import("../languages/nl.js")).dutch,
  pl: async () => (await import("../languages/pl.js")).polish,
  pt: async () => (await import("../languages/pt.js")).portuguese,
  ru: async () => (await import("../languages/ru.js")).russian,
  sv: async () => (await import("../languages/sv.js")).swedish,
  tr: async () => (await import("../languages/tr.js")).turkish,
  uk: async () => (await import("../languages/uk.js")).ukrainian,
  "zh-CN": async () => (await import("../languages/zh-CN.js")).simplifiedChinese,
  "zh-TW": async () => (await import("../languages/zh-TW.js")).traditionalChinese,
} satisfies Readonly<Record<Exclude<BuiltInTag, "en">, () => Promise<Messages>>>
