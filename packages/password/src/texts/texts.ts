import type { Texts } from "@latchkey/core/module"
import { english } from "./en.js"

/** By language. A literal table, so that bundlers can read it. */
export const texts: Texts = { en: english }
