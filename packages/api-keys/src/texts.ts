import type { Texts } from "@latchkey/core/module"
import en from "./texts/en.js"

/** By language tag. Each but English loads when a user needs it. */
export const texts: Texts = {
  en,
  ar: async () => import("./texts/ar.js"),
  cs: async () => import("./texts/cs.js"),
  da: async () => import("./texts/da.js"),
  de: async () => import("./texts/de.js"),
  es: async () => import("./texts/es.js"),
  fi: async () => import("./texts/fi.js"),
  fr: async () => import("./texts/fr.js"),
  he: async () => import("./texts/he.js"),
  hi: async () => import("./texts/hi.js"),
  id: async () => import("./texts/id.js"),
  it: async () => import("./texts/it.js"),
  ja: async () => import("./texts/ja.js"),
  ko: async () => import("./texts/ko.js"),
  nb: async () => import("./texts/nb.js"),
  nl: async () => import("./texts/nl.js"),
  pl: async () => import("./texts/pl.js"),
  pt: async () => import("./texts/pt.js"),
  ru: async () => import("./texts/ru.js"),
  sv: async () => import("./texts/sv.js"),
  tr: async () => import("./texts/tr.js"),
  uk: async () => import("./texts/uk.js"),
  "zh-CN": async () => import("./texts/zh-CN.js"),
  "zh-TW": async () => import("./texts/zh-TW.js"),
}
