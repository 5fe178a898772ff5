import type { Messages } from "../i18n/messages.js"
import type { Theme } from "../model/pages.js"
import { contrast } from "../mail/color.js"
import { colorOf } from "./color.js"

/** The style sheet in the colors of the theme. Its variables and classes are named as in Auth.js v5. */
export function stylesheet(theme: Theme): string {
  const brand = colorOf(theme.brandColor)
  const ring = brand === undefined ? "" : focusRing
  return base + variable("--brand-color", brand) + ring + buttonText(brand, colorOf(theme.buttonText))
}

/**
 * The ring has the hue of the brand, and the lightness that the color scheme allows: 3:1 to the card (WCAG 2.2 §1.4.11). A yellow ring
 * would be invisible on white.
 */
const ringAt = (lightness: string) => `{--color-focus:oklch(from var(--brand-color) ${lightness} c h)}`
const focusRing = `@supports (color:oklch(from red l c h)){.page${ringAt("min(l,.6)")}@media screen{.__next-auth-theme-dark .page${ringAt("max(l,.7)")}}
@media screen and (prefers-color-scheme:dark){.__next-auth-theme-auto .page${ringAt("max(l,.7)")}}}\n`

/** WCAG 2.2 §1.4.3. */
const minContrast = 4.5

/** The color of the theme if it can be read on the brand color, otherwise white or black. */
function buttonText(brand: string | undefined, wanted: string | undefined): string {
  if (brand === undefined) return variable("--button-text-color", wanted)
  const isReadable = (text: string) => (contrast(brand, text) ?? 0) >= minContrast
  if (wanted !== undefined && (contrast(brand, wanted) === undefined || isReadable(wanted)))
    return variable("--button-text-color", wanted)
  if (contrast(brand, "#fff") !== undefined)
    return variable("--button-text-color", isReadable("#fff") ? "#fff" : "#000")
  // Only the browser knows this color, and it computes its lightness.
  return `@supports (color:oklch(from red l c h)){:root{--button-text-color:oklch(from var(--brand-color) clamp(0,(.66 - l)*1000,1) 0 0)}}\n`
}

/** The texts that the style sheet shows. */
export function textRules({ common }: Messages): string {
  return `:root{--text-or:${quoted(common.or)}}\n`
}

/** A CSS string. Escapes what could end it or the style element (CSS Syntax §4.3.7). */
function quoted(text: string): string {
  const escaped = text.replace(/[^\p{L}\p{M}\p{N} ]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)
  return `"${escaped}"`
}

function variable(name: string, color: string | undefined): string {
  return color === undefined ? "" : `:root{${name}:${color}}\n`
}

/** Sets the button color of the provider at this index of the page. @param monogram the name of a provider without a logo */
export function providerRule(index: number, brandColor: unknown, monogram: string | undefined): string {
  const color = colorOf(brandColor)
  const initial = color === undefined && monogram !== undefined ? initialRule(index, monogram) : ""
  return `.provider-${index} .button{--provider-brand-color:${color ?? "#fff"}}\n${initial}`
}

/** The look of monograms, for pages with a provider without a logo. */
export const monogramRules: string = `.initial{flex:none;width:1.25rem;height:1.25rem;border-radius:50%;font-size:.6875rem;line-height:1.25rem;font-weight:600;text-align:center;
background:color-mix(in srgb,var(--provider-brand-color,#888) 30%,var(--color-background-hover))}
@supports (color:oklch(from red l c h)){.initial{color:#fff;background:oklch(from var(--provider-brand-color) .5 c h)}}
`

/** A monogram has a color that depends on the name. */
function initialRule(index: number, name: string): string {
  const hue = Array.from(name).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 0)
  return `.provider-${index} .initial{--provider-brand-color:hsl(${hue} 60% 45%)}\n`
}

const light = `color-scheme:light;--color-background:#f6f7f9;--color-background-hover:#e8e8ea;--color-background-card:#fff;
--color-text:#18181b;--color-primary:#52525b;--color-control-border:#85858f;--color-button-active-background:#f0f0f2;
--color-button-active-border:#6b6b73;--color-separator:#dfdfe3;--color-error:#b3261e;--color-info:#1459c7;--color-info-hover:#0f4ba8;
--color-focus:#1459c7;--button-border:#c9c9d0;--provider-bg:#fff;--provider-bg-hover:color-mix(in srgb,var(--provider-brand-color,#888) 8%,#fff)`

const dark = `color-scheme:dark;--color-background:#0c0e12;--color-background-hover:#2b313a;--color-background-card:#15181e;
--color-text:#f2f2f3;--color-primary:#abb1bb;--color-control-border:#6e7682;--color-button-active-background:#242932;
--color-button-active-border:#8b949e;--color-separator:#2b3038;--color-error:#ff9d94;--color-info:#2a6be0;--color-info-hover:#225fd0;
--color-focus:#7fb0ff;--button-border:#3f4650;--provider-bg:#1b1f26;--provider-bg-hover:color-mix(in srgb,var(--provider-brand-color,#888) 16%,#1b1f26)`

const base = `
:root{--border-width:1px;--border-radius:.5rem;--color-info-text:#fff;--button-hover-bg:var(--color-info-hover)}
.__next-auth-theme-auto,.__next-auth-theme-light,.__next-auth-theme-dark{${light}}
@media screen{.__next-auth-theme-dark{${dark}}}
@media screen and (prefers-color-scheme:dark){.__next-auth-theme-auto{${dark}}}
*,*::before,*::after{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--color-background);color:var(--color-text);line-height:1.5;
font-family:system-ui,sans-serif}
.page{min-height:100dvh;display:grid;place-items:center;padding:2rem 1rem}
.card{width:25rem;max-width:calc(100vw - 2rem);padding:2rem 2rem 1.5rem;background:var(--color-background-card);overflow-wrap:anywhere;
border:var(--border-width) solid var(--color-separator);border-radius:1rem;box-shadow:0 1px 2px #0000000a,0 8px 24px #0000000a}
.logo{display:block;max-width:150px;max-height:70px;margin:0 auto 1.25rem}
h1{margin:0 0 1.25rem;font-size:1.375rem;line-height:1.25;font-weight:600;letter-spacing:-.01em;text-align:center;text-wrap:balance}
p{margin:0 0 .75rem;font-size:.9375rem}
a{color:inherit;text-underline-offset:.2em}
.card>:last-child{margin-bottom:0}
.message,.signout p,.verify-request p,.confirm-email p,.forward p{text-align:center}
.message{margin-bottom:1.25rem}
.message p:last-child{margin-bottom:0}
form{margin:0;height:100%}
.card .error{margin:0 0 1rem;padding:.625rem .75rem;border:1px solid color-mix(in srgb,var(--color-error) 40%,var(--color-background-card));
border-radius:var(--border-radius);background:color-mix(in srgb,var(--color-error) 7%,var(--color-background-card))}
.card .error p{margin:0;color:var(--color-error);font-size:.875rem;text-align:start}
.card form .error{margin:-.625rem 0 1rem;padding:0;border:0;background:none}
.provider{position:relative}
.provider+.provider{margin-top:.5rem}
.provider:has(>[open])+.provider,.provider+.provider:has(>[open]){margin-top:1rem}
.compact{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.75rem,1fr));gap:.5rem}
.compact .provider{margin:0}
.compact .button{height:100%}
hr{display:flex;justify-content:center;margin:1rem 0;border:0;color:var(--color-primary);font-size:.8125rem;line-height:1.25rem;
background:linear-gradient(var(--color-separator),var(--color-separator)) center/100% 1px no-repeat}
hr::after{content:var(--text-or);padding:0 .75rem;background:var(--color-background-card)}
label{display:block;margin:0 0 .375rem;font-size:.875rem;line-height:1.25rem;font-weight:500}
input:not([type=checkbox],[type=radio]){display:block;width:100%;min-height:2.75rem;margin:0 0 1rem;
padding:.5rem .75rem;font:inherit;color:var(--color-text);background:var(--color-background-card);
border:var(--border-width) solid var(--color-control-border);border-radius:var(--border-radius)}
input[type=checkbox],input[type=radio]{width:1.25rem;height:1.25rem;margin:0 0 1rem}
.check{display:flex;gap:.5rem;align-items:center;margin:1rem 0}.card .check input{margin:0}
input::placeholder{color:var(--color-primary);opacity:.8}
.card [aria-invalid=true]{border-color:var(--color-error);box-shadow:0 0 0 1px var(--color-error)}
button,a.button,summary{display:flex;align-items:center;justify-content:center;gap:.625rem;width:100%;min-height:2.75rem;padding:.5rem 1rem;
font:inherit;font-size:.9375rem;line-height:1.25rem;font-weight:500;text-align:center;text-decoration:none;cursor:pointer;color:var(--color-text);
background:var(--provider-bg);border:var(--border-width) solid var(--button-border);border-radius:var(--border-radius)}
button:hover,a.button:hover,summary:hover{background:var(--provider-bg-hover)}
button:active,a.button:active,summary:active{background:var(--color-button-active-background);border-color:var(--color-button-active-border)}
button.submit,button.submit:active,a.button.submit,a.button.submit:active{color:var(--button-text-color,var(--color-info-text));
background:var(--brand-color,var(--color-info));border-color:color-mix(in srgb,var(--brand-color,var(--color-info)) 50%,var(--color-text))}
button.submit:hover,a.button.submit:hover{background:var(--brand-color,var(--button-hover-bg));filter:brightness(.96)}
button:disabled,button[aria-disabled=true]{opacity:.6;cursor:default}
:focus-visible{outline:2px solid var(--color-focus);outline-offset:2px}
summary{list-style:none}
summary::-webkit-details-marker{display:none}
details[name][open]>summary{display:none}
.icon,.button img{flex:none}
.icon{fill:currentColor}
.icon.line{fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.button,summary{position:relative}
.provider .button,details[name]>summary{padding-inline:2.5rem}
.provider .button>:first-child:not(:last-child),summary>.icon{position:absolute;inset-block:0;inset-inline-start:.75rem;margin-block:auto}
.button img{width:1.25rem;height:1.25rem;object-fit:contain}
.short{display:none}
.compact .button{justify-content:flex-start;text-align:start;padding-inline-end:.5rem}
.compact .short{display:block}
.label,.compact span:has(+.short){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.password{position:relative}
.card .password input{padding-inline-end:3rem}
.reveal,.reveal:hover,.reveal:active{position:absolute;inset-block-start:0;inset-inline-end:0;width:2.75rem;padding:0;color:var(--color-primary);background:none;border-color:transparent}
.reveal path:last-child{display:none}
.reveal[aria-pressed=true] path:last-child{display:inline}
.back{margin:1.25rem 0 0;font-size:.875rem;color:var(--color-primary);text-align:center}
.back a{color:var(--color-text)}
a.site{display:inline-block;padding:.125rem 0;font-weight:500}
.hint{font-size:.875rem;color:var(--color-primary)}
.id{margin:1.25rem 0 0;font-size:.8125rem;color:var(--color-primary);text-align:center}
@media (max-width:450px){.page{place-items:start center;padding:0}main{width:100%}
.card{width:100%;max-width:100%;min-height:100dvh;padding:1.5rem 1.25rem 1rem;border:0;border-radius:0;box-shadow:none}}
@media screen and (prefers-reduced-motion:no-preference){button,.button,input{transition:.1s}}
@media print{.page{min-height:0}.card{border:0;box-shadow:none}.submit,.initial{print-color-adjust:exact}}
@media (forced-colors:active){.icon:not(.line) path{fill:currentColor}[aria-invalid=true]{outline:2px solid}}
`
