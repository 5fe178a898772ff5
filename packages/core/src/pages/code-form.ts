import { fill } from "../i18n/fill.js"
import type { CodeForm } from "../model/http.js"
import { attributes, type Html, html } from "./html.js"
import { hiddenFields } from "./layout.js"
import type { PageContext } from "./view.js"

/** Longer codes don't fit into one row of boxes. */
const maxBoxes = 8

interface AroundCode {
  /** Says that the last code was wrong. */
  readonly alert: Html | undefined
  /** Says how long the link works. */
  readonly expiry: string | undefined
}

/** The form for the code of an email. */
export function codeForm({ t }: PageContext, form: CodeForm, { alert, expiry }: AroundCode): Html {
  const { hint, button } = t.verifyRequest
  return html`<form action="${form.action}" method="POST">${hiddenFields({ csrfToken: form.csrfToken })}
<label class="section-header" for="input-code">${labelOf(t.verifyRequest, form)}</label>${boxed(form, input(form, alert !== undefined))}${alert}
<button type="submit" class="submit" id="submitButton">${button}</button>
<p class="hint" id="code-hint">${[hint, expiry].filter(Boolean).join(" ")}</p></form>`
}

function labelOf(texts: PageContext["t"]["verifyRequest"], { digits, length }: CodeForm): string {
  if (length === undefined) return texts.label
  return fill(digits ? texts.digitsLabel : texts.charactersLabel, { count: String(length) })
}

/** `one-time-code` lets phones and password managers fill in the code that has just arrived. */
function input({ digits, length }: CodeForm, failed: boolean): Html {
  const given = {
    id: "input-code",
    name: "code",
    type: "text",
    inputmode: digits ? "numeric" : "text",
    autocomplete: "one-time-code",
    autocapitalize: "none",
    spellcheck: false,
    // More than the code has, because a pasted one may contain spaces. The server ignores them.
    maxlength: 64,
    required: true,
    autofocus: true,
    "data-code": length ?? "",
    "aria-describedby": failed ? "code-error code-hint" : "email-sent code-hint",
    ...(failed && { "aria-invalid": "true" }),
  }
  return html`<input${attributes(given)}>`
}

/** One input that looks like a box for each character, so paste, autofill, screen readers and deleting work as in any input. */
function boxed(form: CodeForm, field: Html): Html {
  if (!hasBoxes(form)) return field
  const boxes = Array.from({ length: form.length }, () => html`<span></span>`)
  return html`<div class="code">${boxes}${field}</div>`
}

function hasBoxes(form: CodeForm): form is CodeForm & { readonly length: number } {
  return form.length !== undefined && form.length > 0 && form.length <= maxBoxes
}

/**
 * The letter spacing puts each character into its box. The input is wider than the boxes, because it would scroll to show the
 * caret after the last character. The script marks the next box; without it, the ring is around all. A code is read from left to
 * right in every language.
 */
export function codeRules(form: CodeForm): string {
  const rules = `.verify-request form{margin:1.5rem 0 0}
.verify-request form .hint{margin:1rem 0 0;text-wrap:balance}
#input-code{font-size:1.25rem;letter-spacing:.2em;text-align:center;direction:ltr}
`
  if (!hasBoxes(form)) return rules
  const box = `100cqw/${form.length}`
  return `${rules}@supports (width:1cqw) and (overflow:clip){
.code{container-type:inline-size;position:relative;display:grid;grid-template-columns:repeat(${form.length},1fr);direction:ltr;
max-width:${form.length * 3.5}rem;margin:0 auto 1rem;overflow-x:clip;border-radius:var(--border-radius)}
.code span{height:3.25rem;margin:0 .2rem;border:var(--border-width) solid var(--color-control-border);border-radius:var(--border-radius)}
.code #input-code:not([type=hidden]):not([type=checkbox]):not([type=radio]){position:absolute;inset:0;width:calc(100% + ${box}/2);height:100%;
margin:0;padding:0 0 0 calc(${box}/2 - .5ch);font:600 min(1.5rem,60cqw/${form.length})/1 ui-monospace,Menlo,Consolas,monospace;
letter-spacing:calc(${box} - 1ch);text-align:left;background:none;border:0;box-shadow:none;outline-color:transparent;outline-offset:-2px}
.code:has(:focus-visible):not(:has(.next)){outline:2px solid var(--color-focus);outline-offset:2px}
.code .next{border-color:var(--color-focus);box-shadow:0 0 0 1px var(--color-focus)}
.code:has([aria-invalid]) span:not(.next){border-color:var(--color-error)}
}
@media (forced-colors:active){.code .next{outline:2px solid Highlight}}
`
}
