import { names } from "./catalogue.js"
import type { Look } from "./stage.js"

/** Two pictures have both color schemes and both layouts. */
const inEnglish: readonly Look[] = [
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 1280 },
]

/** Arabic is written from right to left, and German has long words. A narrow screen is where these may not fit. */
const inOtherLanguages: Look = { colorScheme: "light", width: 360 }
const otherLanguages: readonly string[] = ["de", "ar"]
const pagesInOtherLanguages: readonly string[] = ["signin-4", "verify-code", "confirm-email", "account", "error"]

/** The file of a picture, relative to the folder of all. */
export function pictureFile(name: string, language: string, { colorScheme, width }: Look): string {
  return `${name}/${language}-${colorScheme}-${width}.png`
}

/** The files of all pictures. */
export const pictureFiles: readonly string[] = [
  ...names.flatMap((name) => inEnglish.map((look) => pictureFile(name, "en", look))),
  ...pagesInOtherLanguages.flatMap((name) =>
    otherLanguages.map((language) => pictureFile(name, language, inOtherLanguages)),
  ),
]
