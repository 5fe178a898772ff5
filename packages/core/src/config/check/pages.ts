import type { CaptchaWidget } from "../../model/captcha.js"
import type { AuthConfig } from "../../model/config.js"
import { isWebUrl } from "../../primitives/web-url.js"
import { invalid, type Problem, tolerable } from "./problem.js"

const pageKeys = [
  "signIn",
  "signOut",
  "error",
  "verifyRequest",
  "newUser",
  "account",
  "forgotPassword",
  "createAccount",
  "terms",
  "privacy",
] as const

export function* pageProblems({ pages }: AuthConfig): Generator<Problem> {
  for (const key of pageKeys) {
    const page = pages?.[key]
    if (page === undefined || isPath(page) || isWebUrl(page)) continue
    const fix = "Use a path that begins with one slash, or a whole URL"
    const make = isUnsafe(page) ? invalid : tolerable
    yield make(`pages.${key}`, "The page is neither a path nor an http(s) URL", fix)
  }
}

/** Browsers would run it or open another site, or no `Location` header can hold it. */
function isUnsafe(page: unknown): boolean {
  if (typeof page !== "string") return false
  const base = "https://app.example"
  return /[\p{Cc}\\]/u.test(page) || !URL.canParse(page, base) || new URL(page, base).origin !== base
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
    yield tolerable(`theme.${key}`, "The value isn't a CSS color", "Use a color such as #346df1")
  }
  const logo: unknown = theme.logo
  if (!logo || isPath(logo) || isWebUrl(logo) || isDataUrl(logo)) return
  yield tolerable("theme.logo", "The logo isn't the URL of an image", "Use a path, an http(s) URL or a data:image URL")
}

function isDataUrl(text: unknown): boolean {
  return typeof text === "string" && /^data:image\//i.test(text)
}

/** A value of a Content Security Policy, which ends at a space, a comma or a semicolon. */
const host = /^https:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d+)?$/i

export function* captchaProblems({ captcha }: AuthConfig): Generator<Problem> {
  if (captcha === undefined) return
  const { verify, field, widget, whenUnavailable }: Partial<typeof captcha> = captcha ?? {}
  if (typeof verify !== "function")
    yield invalid("captcha.verify", "The value isn't a function", "Pass a function, or use `turnstile` or `hcaptcha`")
  if (typeof field !== "string" || !/^[\w-]{1,60}$/.test(field))
    yield invalid(
      "captcha.field",
      "The value isn't the name of a field",
      "Use the name that the widget gives its field",
    )
  if (![undefined, "refuse", "allow"].includes(whenUnavailable))
    yield invalid("captcha.whenUnavailable", "The value is unknown", 'Use "refuse" or "allow"')
  if (widget !== undefined) yield* widgetProblems(widget ?? {})
}

function* widgetProblems({ script, siteKey, hosts }: Partial<CaptchaWidget>): Generator<Problem> {
  if (!siteKey)
    yield invalid("captcha.widget.siteKey", "The site key is empty", "Set the key that the service gave you")
  if (!isWebUrl(script) || !script.startsWith("https://"))
    yield invalid("captcha.widget.script", "The value isn't an https URL", "Use the URL of the service's script")
  if (!Array.isArray(hosts) || !hosts.every((each) => host.test(each)))
    yield invalid(
      "captcha.widget.hosts",
      "The value isn't a list of sources of a Content Security Policy",
      "Use hosts such as https://captcha.example",
    )
}
