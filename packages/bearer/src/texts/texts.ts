import type { Texts } from "@latchkey/core/module"
import en from "./en.js"

/** By language tag. Each but English loads when a user needs it. */
export const texts: Texts = {
  en,
  ar: async () => import("./ar.js"),
  cs: async () => import("./cs.js"),
  da: async () => import("./da.js"),
  de: async () => import("./de.js"),
  es: async () => import("./es.js"),
  fi: async () => import("./fi.js"),
  fr: async () => import("./fr.js"),
  he: async () => import("./he.js"),
  hi: async () => import("./hi.js"),
  id: async () => import("./id.js"),
  it: async () => import("./it.js"),
  ja: async () => import("./ja.js"),
  ko: async () => import("./ko.js"),
  nb: async () => import("./nb.js"),
  nl: async () => import("./nl.js"),
  pl: async () => import("./pl.js"),
  pt: async () => import("./pt.js"),
  ru: async () => import("./ru.js"),
  sv: async () => import("./sv.js"),
  tr: async () => import("./tr.js"),
  uk: async () => import("./uk.js"),
  "zh-CN": async () => import("./zh-CN.js"),
  "zh-TW": async () => import("./zh-TW.js"),
}
