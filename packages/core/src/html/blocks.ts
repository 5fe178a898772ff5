import { toRoute } from "../http/redirect.js"
import type { CaptchaAction } from "../model/captcha.js"
import type { Params } from "../model/http.js"
import type { Block, FactorForm } from "../model/module-content.js"
import { captchaElement } from "./captcha.js"
import { isShown, labelOf, typeOf } from "./fields.js"
import { attributes, type Html, html } from "./html.js"
import { imageOf } from "./image.js"
import { hiddenFields } from "./layout.js"
import { backRules } from "./site-link.js"
import type { PageContext } from "./view.js"

/** CSS rules of what modules show. */
export const moduleRules: string = `${backRules}.codes{display:grid;gap:.25rem;margin:1rem 0;padding:0;list-style:none;font-family:ui-monospace,Menlo,Consolas,monospace;text-align:center;overflow-wrap:anywhere}
.module-image{display:block;width:12rem;max-width:100%;margin:1rem auto;background:#fff;border-radius:var(--border-radius)}
.module-form+:not(.back),.module-form .submit~button{margin-block-start:.75rem}
`

interface Placed {
  readonly module: string
  readonly csrfToken: string | undefined
  readonly block: Block
}

/** Texts are escaped, and images are data of the module, so what a user typed can't become a script. */
export function blockOf(context: PageContext, { module, csrfToken, block }: Placed): Html {
  switch (block.kind) {
    case "text":
      return html`<p>${block.text}</p>`
    case "image": {
      const image = block.src.startsWith("data:") ? imageOf(context.request, block.src) : undefined
      return html`${image && html`<img class="module-image" src="${image.src}" alt="${block.alt}">`}`
    }
    case "codes":
      return html`<ul class="codes">${block.codes.map((code) => html`<li>${code}</li>`)}</ul>`
    case "link":
      return html`<p><a href="${ownUrl(context, block.url)}">${block.text}</a></p>`
    case "form":
      return formOf(context, {
        action: toRoute(context.request, `${module}/${block.route}`),
        values: { ...(csrfToken !== undefined && { csrfToken }), ...block.values },
        fields: block.fields ?? {},
        submit: block.submit,
        secondary: block.secondary,
        captcha: block.captcha,
      })
  }
}

/** A link of a module stays on this site. */
function ownUrl({ request }: PageContext, url: string): string {
  const { origin, href } = new URL(url, request.origin)
  return origin === request.origin ? href : request.origin
}

interface Form {
  readonly action: string
  readonly values: Params
  readonly fields: FactorForm["fields"]
  readonly submit: string | undefined
  readonly secondary?: boolean | undefined
  readonly captcha?: CaptchaAction | undefined
  /** Further buttons, by the value of the field `action` that they send. */
  readonly actions?: Params
  /** Behind the buttons, which are there unless `submit` is `undefined`. */
  readonly more?: Html | undefined
  /** The first field gets the focus. */
  readonly autofocus?: boolean
  readonly isInvalid?: boolean
}

export function formOf(context: PageContext, form: Form): Html {
  const { action, values, fields, submit, secondary, captcha, actions = {}, more, autofocus, isInvalid } = form
  const widget = captcha && captchaElement(context.auth, captcha)
  const inputs = Object.entries(fields).map(([name, field], index) => {
    const id = `input-${name}`
    const own = {
      ...(autofocus === true && index === 0 && { autofocus: true }),
      ...(isInvalid === true &&
        typeOf(name, field) !== "checkbox" && { "aria-invalid": "true", "aria-describedby": "module-error" }),
    }
    const input = html`<input${attributes(field, { ...own, id, name, type: typeOf(name, field) })}>`
    if (!isShown(field)) return input
    if (typeOf(name, field) === "checkbox")
      return html`<label class="check">${input} ${labelOf(name, field, context.t)}</label>`
    return html`<label class="section-header" for="${id}">${labelOf(name, field, context.t)}</label>${input}`
  })
  const button =
    secondary === true
      ? html`<button type="submit">${submit}</button>`
      : html`<button type="submit" class="submit">${submit}</button>`
  return html`<form class="module-form" action="${action}" method="POST">${hiddenFields(values)}${inputs}${widget}
${submit === undefined ? undefined : button}${Object.entries(actions).map(buttonOf)}${more}</form>`
}

/** The browser sends it although required fields are empty. */
function buttonOf([value, text]: readonly [string, string]): Html {
  return html`
<button type="submit" name="action" value="${value}" formnovalidate>${text}</button>`
}
