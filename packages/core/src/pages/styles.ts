import type { Messages } from "../i18n/messages.js"
import type { Theme } from "../model/pages.js"
import { colorOf } from "./color.js"

/** The style sheet in the colors of the theme. Its variables and classes are named as in Auth.js v5. */
export function stylesheet({ brandColor, buttonText }: Theme): string {
  return base + variable("--brand-color", brandColor) + variable("--button-text-color", buttonText)
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

function variable(name: string, value: unknown): string {
  const color = colorOf(value)
  return color === undefined ? "" : `:root{${name}:${color}}\n`
}

/** Sets the button color of the provider at this index of the page. */
export function providerRule(index: number, brandColor: unknown): string {
  return `.provider-${index} .button{--provider-brand-color:${colorOf(brandColor) ?? "#fff"}}\n`
}

const light = `color-scheme:light;--color-background:#ececec;--color-background-hover:#e0e0e0;--color-background-card:#fff;
--color-text:#111;--color-primary:#444;--color-control-border:#8a8a8a;--color-button-active-background:#f4f4f4;
--color-button-active-border:#6b6b6b;--color-separator:#ccc;--provider-bg:#fff;
--provider-bg-hover:color-mix(in srgb,var(--provider-brand-color,#ccc) 20%,#fff)`

const dark = `color-scheme:dark;--color-background:#15191f;--color-background-hover:#2b313a;--color-background-card:#0d1117;
--color-text:#f2f2f2;--color-primary:#c4c8cd;--color-control-border:#6b7480;--color-button-active-background:#1f252d;
--color-button-active-border:#8b949e;--color-separator:#3d444d;--provider-bg:#161b22;
--provider-bg-hover:color-mix(in srgb,var(--provider-brand-color,#444) 30%,#161b22)`

const base = `
:root{--border-width:1px;--border-radius:.5rem;--color-error:#b3261e;--color-info:#1459c7;--color-info-hover:#0f4ba8;
--color-info-text:#fff;--button-hover-bg:var(--color-info-hover)}
.__next-auth-theme-auto,.__next-auth-theme-light{${light}}
.__next-auth-theme-dark{${dark}}
@media (prefers-color-scheme:dark){.__next-auth-theme-auto{${dark}}}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--color-background);color:var(--color-text);line-height:1.5;
font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.page{min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem}
.card{width:368px;max-width:calc(100vw - 2rem);padding:1.5rem 2rem 2rem;background:var(--color-background-card);
border:var(--border-width) solid var(--color-separator);border-radius:1rem;overflow-wrap:anywhere}
@media (max-width:450px){.card{width:343px;padding:1.25rem 1.25rem 1.5rem}}
.logo{display:block;max-width:150px;max-height:70px;margin:0 auto 1rem}
h1{margin:0 0 1rem;font-size:1.375rem;line-height:1.25;font-weight:600;text-align:center}
p{margin:0 0 .75rem;color:var(--color-text)}
.card>:last-child{margin-bottom:0}
.message,.signout p,.verify-request p,.confirm-email p,.forward p{text-align:center}
.message{margin-bottom:1.25rem}
.message p:last-child{margin-bottom:0}
form{margin:0}
.card .error{margin:0 0 1rem;padding:.75rem 1rem;background:var(--color-error);border-radius:var(--border-radius)}
.card .error p{margin:0;color:#fff;font-size:.9375rem}
.provider+.provider{margin-top:.75rem}
hr{display:flex;justify-content:center;margin:1.25rem 0;border:0;color:var(--color-primary);font-size:.875rem;
background:linear-gradient(var(--color-separator),var(--color-separator)) center/100% 1px no-repeat}
hr::after{content:var(--text-or);padding:0 .75rem;background:var(--color-background-card)}
label{display:block;margin:0 0 .25rem;font-size:.9375rem;font-weight:500}
input:not([type=hidden]):not([type=checkbox]):not([type=radio]){display:block;width:100%;min-height:2.75rem;margin:0 0 1rem;
padding:.5rem .75rem;font:inherit;color:var(--color-text);background:var(--color-background-card);
border:var(--border-width) solid var(--color-control-border);border-radius:var(--border-radius)}
input[type=checkbox],input[type=radio]{width:1.25rem;height:1.25rem;margin:0 0 1rem}
input::placeholder{color:var(--color-primary);opacity:.8}
button,a.button{display:flex;align-items:center;justify-content:center;gap:.75rem;width:100%;min-height:2.75rem;padding:.5rem 1rem;
font:inherit;font-weight:500;text-align:center;text-decoration:none;cursor:pointer;color:var(--color-text);background:var(--provider-bg);
border:var(--border-width) solid var(--color-control-border);border-radius:var(--border-radius)}
button:hover,a.button:hover{background:var(--provider-bg-hover)}
button:active,a.button:active{background:var(--color-button-active-background);border-color:var(--color-button-active-border)}
button.submit,button.submit:active,a.button.submit,a.button.submit:active{color:var(--button-text-color,var(--color-info-text));
background:var(--brand-color,var(--color-info));border-color:transparent}
button.submit:hover,a.button.submit:hover{background:var(--brand-color,var(--button-hover-bg));filter:brightness(.94)}
:focus-visible{outline:3px solid var(--color-info);outline-offset:2px}
.__next-auth-theme-dark :focus-visible{outline-color:#7fb0ff}
@media (prefers-color-scheme:dark){.__next-auth-theme-auto :focus-visible{outline-color:#7fb0ff}}
.initial{flex:none;width:1.5rem;height:1.5rem;border-radius:.375rem;font-size:.875rem;line-height:1.5rem;font-weight:700;
background:color-mix(in srgb,var(--provider-brand-color,#888) 30%,var(--color-background-hover))}
.button img{flex:none;object-fit:contain}
a.site{color:inherit;font-weight:600}
.detail{margin:1.25rem 0 0;font-size:.8125rem}
.detail pre{max-height:18rem;margin:.25rem 0 0;padding:.75rem;overflow:auto;white-space:pre-wrap;text-align:left;
background:var(--color-button-active-background);border-radius:var(--border-radius)}
.id{margin:1.25rem 0 0;font-size:.8125rem;color:var(--color-primary);text-align:center}
`
