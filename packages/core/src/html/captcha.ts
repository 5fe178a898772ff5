import type { AuthContext } from "../model/auth.js"
import type { CaptchaAction, CaptchaWidget } from "../model/captcha.js"
import { type Html, html } from "./html.js"

/** The widget of a form. `undefined`: the form has none. */
export function widgetFor({ captcha }: Pick<AuthContext, "captcha">, action: CaptchaAction): CaptchaWidget | undefined {
  return captcha?.actions?.includes(action) === false ? undefined : captcha?.widget
}

/** The script of the service fills it, and adds the field with the token to the form. */
export function captchaElement(auth: Pick<AuthContext, "captcha">, action: CaptchaAction): Html | undefined {
  const widget = widgetFor(auth, action)
  if (widget === undefined) return undefined
  return html`<div class="${`captcha ${widget.className}`}" data-sitekey="${widget.siteKey}" data-action="${action}"></div>`
}
