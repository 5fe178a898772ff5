import type { Texts } from "@latchkey/core/module"
import en from "./texts/en.js"

/** By language tag. Each but English loads when a user needs it. */
export const texts: Texts = { en }
