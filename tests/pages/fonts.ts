import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Latin, Arabic and Japanese. Pages look different with the fonts of another machine, and these are the same everywhere. */
const families = [
  ["inter", "Inter Variable"],
  ["vazirmatn", "Vazirmatn Variable"],
  ["noto-sans-jp", "Noto Sans JP Variable"],
] as const

const require = createRequire(import.meta.url)

export const fontOrigin = "https://fonts.test"

/** Replaces the fonts of a page. */
export const fontStyle: string = [
  ...families.map(([folder]) =>
    readFileSync(join(packageOf(folder), "index.css"), "utf8").replaceAll("./files/", `${fontOrigin}/${folder}/`),
  ),
  `*,*::before,*::after{font-family:${families.map(([, name]) => `"${name}"`).join()}!important}`,
].join("\n")

/** The file that a URL of the style leads to. */
export function fontFile({ pathname }: URL): string {
  const [, folder = "", file = ""] = pathname.split("/")
  return join(packageOf(folder), "files", file)
}

function packageOf(folder: string): string {
  return dirname(require.resolve(`@fontsource-variable/${folder}/package.json`))
}
