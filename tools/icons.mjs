// Turns the logos of providers into modules, so that a bundle has only those of its providers.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.mjs"

const folder = join(root, "packages", "core", "logos")

/** Lines of text, which can't be read in a button. */
const wordmarks = new Set(["foursquare", "intuit", "synology"])

/** Their providers are another one with another name, whose icon they have. */
const aliases = new Set(["azure-ad.svg"])

/** The modules of the logos that consist of paths: name and source. @returns {readonly (readonly [string, string])[]} */
export function iconModules() {
  const files = readdirSync(folder).filter((name) => name.endsWith(".svg") && !aliases.has(name))
  return files.flatMap((file) => {
    const name = file.slice(0, -".svg".length)
    const svg = readFileSync(join(folder, file), "utf8")
    return wordmarks.has(name) || svg.includes("<text") ? [] : [[name, iconModule(file, svg)]]
  })
}

/** @param {string} file @param {string} svg */
function iconModule(file, svg) {
  const paths = [...svg.matchAll(/<path(?: fill="([^"]+)")? d="([^"]+)"/g)].map(([, fill, d]) => [d, fill])
  const shown = paths.map(([d, fill]) => (fill !== undefined && isLegible(fill, paths.length) ? [d, fill] : [d]))
  return `// Generated from logos/${file} by tools/commands/generate.mjs. Not in git.
import type { ProviderIcon } from "../../../model/provider.js"

export const icon: ProviderIcon = ${JSON.stringify(shown)}
`
}

/** The colors of a button in the light and the dark scheme. */
const backgrounds = ["#ffffff", "#161b22"]

/** A color that is hard to see in one of the schemes becomes that of the text, except in a logo of several colors. @param {string} color @param {number} count */
function isLegible(color, count) {
  return count > 1 || backgrounds.every((background) => contrast(color, background) >= 2)
}

/** The contrast of WCAG 2. @param {string} one @param {string} other */
function contrast(one, other) {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** @param {string} color */
function luminance(color) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
