import { escapeHtml } from "../primitives/escape-html.js"
import { buttonColors, contrast } from "./color.js"
import type { Letter } from "./letter.js"

interface Palette {
  readonly page: string
  readonly card: string
  readonly edge: string
  readonly text: string
  readonly quiet: string
  readonly inset: string
}

const light: Palette = {
  page: "#f4f5f7",
  card: "#ffffff",
  edge: "#dfe2e6",
  text: "#1a1d21",
  quiet: "#555c66",
  inset: "#eef0f3",
}

const dark: Palette = {
  page: "#15191f",
  card: "#0d1117",
  edge: "#3d444d",
  text: "#f2f2f2",
  quiet: "#b3b9c1",
  inset: "#1f252d",
}

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * The HTML body. It uses tables and inline styles, because Outlook and Gmail support little else. It loads no images or
 * other resources, which would let the sender see when the email is read.
 */
export function htmlOf(letter: Letter): string {
  const { subject, tag, direction, theme } = letter
  const scheme = schemeOf(theme.colorScheme)
  const colors = scheme === "dark" ? dark : light
  return markup`<!DOCTYPE html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="color-scheme" content="${schemes[scheme]}">
<meta name="supported-color-schemes" content="${schemes[scheme]}">
<title>${subject}</title>
<style>:root{color-scheme:${schemes[scheme]};supported-color-schemes:${schemes[scheme]}}${scheme === "auto" ? darkRules(letter) : ""}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${colors.page};-webkit-text-size-adjust:100%">
${preview(letter)}
<table role="presentation" class="page" width="100%" cellspacing="0" cellpadding="0" border="0" bgcolor="${colors.page}" lang="${tag}" dir="${direction}" style="background:${colors.page}"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" class="card" width="100%" cellspacing="0" cellpadding="0" border="0" bgcolor="${colors.card}" style="max-width:520px;background:${colors.card};border:1px solid ${colors.edge};border-radius:12px">
${joined([heading(letter, colors), text(letter, colors), button(letter, colors), code(letter, colors), foot(letter, colors)])}
</table></td></tr></table>
</body>
</html>
`.toString()
}

const schemes = { auto: "light dark", light: "light", dark: "dark" } as const

function schemeOf(given: unknown): keyof typeof schemes {
  return given === "light" || given === "dark" ? given : "auto"
}

/** For email clients that support `prefers-color-scheme`. Only `!important` overrides the inline styles. */
function darkRules({ theme }: Letter): Markup {
  const { background } = buttonColors(theme.brandColor, theme.buttonText)
  return markup`
@media (prefers-color-scheme:dark){
.page{background:${dark.page}!important}
.card{background:${dark.card}!important;border-color:${dark.edge}!important}
.text{color:${dark.text}!important}
.quiet{color:${dark.quiet}!important}
.inset{background:${dark.inset}!important;color:${dark.text}!important}
.rule{border-color:${dark.edge}!important}
.button{border-color:${edgeOf(background, dark)}!important}
}
`
}

function preview({ preview }: Letter): Markup {
  return markup`<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all" aria-hidden="true">${preview}${padding}</div>`
}

function heading({ host, heading }: Letter, { text }: Palette): Markup {
  // A zero-width space before each dot keeps email clients from turning the host into a second link.
  const direction = /^[\w.:-]+$/.test(host) ? "ltr" : "auto"
  const shown = markup`<strong dir="${direction}" style="display:inline-block">${host.replaceAll(".", "\u200b.")}</strong>`
  const parts = heading.split("{host}").map((part) => markup`${part}`)
  const line = parts.reduce((before, part) => markup`${before}${shown}${part}`)
  return markup`<tr><td class="text" align="center" style="padding:36px 28px 8px;font:600 22px/30px ${fonts};color:${text}">${line}</td></tr>`
}

function text({ text }: Letter, colors: Palette): Markup {
  if (text === undefined) return markup``
  return markup`<tr><td class="text" align="center" style="padding:8px 28px;font:400 16px/24px ${fonts};color:${colors.text}">${text}</td></tr>`
}

/** The table cell has the color and padding, because Outlook ignores padding on links. */
function button({ link, theme }: Letter, colors: Palette): Markup {
  if (link === undefined) return markup``
  const { background, text } = buttonColors(theme.brandColor, theme.buttonText)
  const style = `display:inline-block;padding:13px 32px;font:600 16px/22px ${fonts};text-decoration:none;border-radius:8px`
  return markup`<tr><td align="center" style="padding:20px 28px 24px">
<table role="presentation" cellspacing="0" cellpadding="0" border="0"><tr><td class="button" align="center" bgcolor="${background}" style="border:1px solid ${edgeOf(background, colors)};border-radius:8px;background:${background};mso-padding-alt:13px 32px">
<a href="${link.url}" target="_blank" rel="noopener" style="background:${background};color:${text};${style}">${link.button}</a>
</td></tr></table></td></tr>`
}

/** A button with too little contrast to the card gets a gray border (WCAG 2.2 §1.4.11). */
function edgeOf(background: string, { card }: Palette): string {
  return (contrast(background, card) ?? 21) < 3 ? "#7a828c" : background
}

function code({ code }: Letter, { text, quiet, inset }: Palette): Markup {
  if (code === undefined) return markup``
  const label = markup`<p class="quiet" style="margin:0 0 10px;font:400 15px/22px ${fonts};color:${quiet}">${code.label}</p>`
  // The larger left padding compensates for the letter spacing after the last character.
  const style = `padding:12px 14px 12px 22px;font:700 30px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:8px;border-radius:8px`
  return markup`<tr><td align="center" style="padding:0 28px 24px">${label}
<table role="presentation" cellspacing="0" cellpadding="0" border="0"><tr><td class="inset" dir="ltr" align="center" bgcolor="${inset}" style="background:${inset};color:${text};${style}">${code.code}</td></tr></table></td></tr>`
}

function foot({ link, closing }: Letter, { edge, quiet }: Palette): Markup {
  const paragraph = `margin:0 0 14px;font:400 13px/20px ${fonts};color:${quiet}`
  const paragraphs = closing.map((text) => markup`<p class="quiet" style="${paragraph}">${text}</p>`)
  const address =
    link === undefined
      ? []
      : [
          markup`<p class="quiet" style="${paragraph}">${link.fallback}</p>`,
          markup`<p class="quiet" dir="ltr" style="${paragraph};word-break:break-all;overflow-wrap:anywhere">${link.url}</p>`,
        ]
  return markup`<tr><td class="rule" align="center" style="padding:22px 28px 18px;border-top:1px solid ${edge}">${joined([...address, ...paragraphs])}</td></tr>`
}

/** HTML whose values are escaped. */
class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

/** Keeps the rest of the email out of the preview in an inbox. */
const padding = new Markup("&#847;&zwnj;&nbsp;".repeat(40))

/** Creates HTML from a template. Escapes all values that aren't {@link Markup}. */
function markup(texts: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  return new Markup(texts.reduce((before, text, index) => before + render(values[index - 1] ?? "") + text))
}

function joined(parts: readonly Markup[]): Markup {
  return new Markup(parts.join(""))
}

/** The zero-width space becomes an entity, because it's invisible in the source of an email. */
function render(value: string | Markup): string {
  return value instanceof Markup ? value.toString() : escapeHtml(value).replaceAll("\u200b", "&#8203;")
}
