import type { Texts } from "@latchkey/core/module"
import { english } from "./en.js"

/** By language. A literal table, so that bundlers can read it. Each language loads when the first user needs it. */
export const texts: Texts = {
  en: english,
  ar: () => import("./ar.js"),
  cs: () => import("./cs.js"),
  da: () => import("./da.js"),
  de: () => import("./de.js"),
  es: () => import("./es.js"),
  fi: () => import("./fi.js"),
  fr: () => import("./fr.js"),
  he: () => import("./he.js"),
  hi: () => import("./hi.js"),
  id: () => import("./id.js"),
  it: () => import("./it.js"),
  ja: () => import("./ja.js"),
  ko: () => import("./ko.js"),
  nb: () => import("./nb.js"),
  nl: () => import("./nl.js"),
  pl: () => import("./pl.js"),
  pt: () => import("./pt.js"),
  ru: () => import("./ru.js"),
  sv: () => import("./sv.js"),
  tr: () => import("./tr.js"),
  uk: () => import("./uk.js"),
  "zh-CN": () => import("./zh-CN.js"),
  "zh-TW": () => import("./zh-TW.js"),
}
