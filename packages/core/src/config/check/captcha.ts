import type { CaptchaWidget } from "../../model/captcha.js"
import type { AuthConfig } from "../../model/config.js"
import { invalid, type Problem } from "./problem.js"

/** A value of a Content Security Policy, which ends at a space, a comma or a semicolon. */
const host = /^https:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d+)?$/i

export function* captchaProblems({ captcha }: AuthConfig): Generator<Problem> {
  if (captcha === undefined) return
  const { verify, field, widget, whenUnavailable }: Partial<typeof captcha> = captcha
  if (typeof verify !== "function")
    yield invalid("captcha.verify", "The value isn't a function", "Pass a function, or use `turnstile` or `hcaptcha`")
  if (typeof field !== "string" || !/^[\w-]{1,60}$/.test(field))
    yield invalid(
      "captcha.field",
      "The value isn't the name of a field",
      "Use the name that the widget gives its field",
    )
  if (whenUnavailable !== undefined && whenUnavailable !== "refuse" && whenUnavailable !== "allow")
    yield invalid("captcha.whenUnavailable", "The value is unknown", 'Use "refuse" or "allow"')
  if (widget !== undefined) yield* widgetProblems(widget)
}

function* widgetProblems({ script, siteKey, hosts }: CaptchaWidget): Generator<Problem> {
  if (!siteKey)
    yield invalid("captcha.widget.siteKey", "The site key is empty", "Set the key that the service gave you")
  if (!URL.canParse(script) || new URL(script).protocol !== "https:")
    yield invalid("captcha.widget.script", "The value isn't an https URL", "Use the URL of the service's script")
  for (const each of hosts) {
    if (host.test(each)) continue
    yield invalid(
      "captcha.widget.hosts",
      "A host isn't a source of a Content Security Policy",
      "Use hosts such as https://captcha.example",
    )
  }
}
