import type { Language } from "../i18n/language.js"
import type { Messages } from "../i18n/messages.js"
import type { AuthContext } from "../model/auth.js"
import type { Params } from "../model/http.js"
import { attributes, externalScript, type Html, html, inline } from "./html.js"
import type { Image } from "./image.js"
import { stylesheet, textRules } from "./styles.js"
import type { View } from "./view.js"

const schemes: ReadonlySet<unknown> = new Set(["auto", "dark", "light"])

/**
 * The HTML document around a page. Its referrer policy is looser than the one in the header: under `no-referrer`, browsers
 * send `Origin: null` with a form, so without HTTPS nothing would show that the form belongs to this site.
 */
export function documentOf({ theme }: Pick<AuthContext, "theme">, language: Language, view: View, nonce: string): Html {
  const scheme = schemes.has(theme.colorScheme) ? theme.colorScheme : "auto"
  return html`<!DOCTYPE html>
<html${attributes({ lang: language.tag, dir: language.direction === "rtl" ? "rtl" : undefined })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="${view.referrer ?? "same-origin"}">
<title>${view.title}</title>
${inline("style", nonce, stylesheet(theme) + textRules(language.messages) + view.rules)}
</head>
<body class="${`__next-auth-theme-${scheme}`}">
<div class="page"><main class="${view.root}">${view.content}</main></div>
${view.script === undefined ? undefined : inline("script", nonce, view.script)}${view.captcha && externalScript(view.captcha.script, nonce)}
</body>
</html>`
}

/** The card in the middle of a page, with the logo of the theme on top. */
export function card(t: Messages, logo: Image | undefined, content: Html): Html {
  const picture = logo && html`<img class="logo" src="${logo.src}" alt="${t.common.logo}">`
  return html`<div class="card">${picture}${content}</div>`
}

/** Skips fields whose value is `undefined`. */
export function hiddenFields(fields: Params | Readonly<Record<string, string | undefined>>): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  )
}

export function asList(image: Image | undefined): readonly Image[] {
  return image === undefined ? [] : [image]
}
