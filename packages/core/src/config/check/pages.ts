import type { AuthConfig } from "../../model/config.js"
import { invalid, isWebUrl, type Problem } from "./problem.js"

const pageKeys = ["signIn", "signOut", "error", "verifyRequest", "newUser"] as const

export function* pageProblems({ pages }: AuthConfig): Generator<Problem> {
  for (const key of pageKeys) {
    const page = pages?.[key]
    if (page === undefined || isPath(page) || isWebUrl(page)) continue
    const fix = "Use a path that begins with one slash, or a whole URL"
    yield invalid(`pages.${key}`, "The page is neither a path nor an http(s) URL", fix)
  }
}

/** Browsers read `//host` and `/\host` as another site. */
function isPath(text: unknown): boolean {
  return typeof text === "string" && /^\/(?![/\\])[^\\]*$/.test(text) && !/\p{Cc}/u.test(text)
}

/** A hex color, a name, or a function without characters that could end the declaration in the style sheet. */
const color = /^(?:#[0-9a-f]{3,8}|[a-z]+|[a-z-]+\([\w\s.,%/+#-]*\))?$/i

export function* themeProblems({ theme = {} }: AuthConfig): Generator<Problem> {
  for (const key of ["brandColor", "buttonText"] as const) {
    const value: unknown = theme[key]
    if (value === undefined || (typeof value === "string" && color.test(value.trim()))) continue
    yield invalid(`theme.${key}`, "The value isn't a CSS color", "Use a color such as #346df1")
  }
  const { logo } = theme
  if (!logo || isPath(logo) || isWebUrl(logo) || /^data:image\//i.test(logo)) return
  yield invalid("theme.logo", "The logo isn't the URL of an image", "Use a path, an http(s) URL or a data:image URL")
}
