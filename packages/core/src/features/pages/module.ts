import { toRoute } from "../../http/redirect.js"
import type { Block, FactorForm } from "../../model/module-content.js"
import type { Params } from "../../model/http.js"
import { isShown, labelOf, typeOf } from "../../html/fields.js"
import { attributes, type Html, html } from "../../html/html.js"
import { imageOf } from "../../html/image.js"
import { asList, card, hiddenFields } from "../../html/layout.js"
import { backRules, backToSite } from "../../html/site-link.js"
import { signInTargets } from "../../html/targets.js"
import { thisSite } from "../../html/source.js"
import type { PageContext, PageOf, View } from "../../html/view.js"

/** The form of a factor. The user isn't signed in yet. */
export function factorPage(context: PageContext, { form, step, error, script }: PageOf<"factor">): View {
  const { auth, request, t } = context
  const { title, text } = form
  const logo = imageOf(request, auth.theme.logo)
  const about = text === undefined ? undefined : html`<p>${text}</p>`
  const answer = formOf(context, {
    action: toRoute(request, "factor"),
    values: step.csrfToken === "" ? {} : { csrfToken: step.csrfToken },
    fields: form.fields,
    submit: form.submit,
    autofocus: true,
    isInvalid: error !== undefined,
  })
  const cancel = html`<p class="back"><a class="site" href="${toRoute(request, "signin")}">${t.common.cancel}</a></p>`
  return {
    ...plainView(title, error === undefined ? 200 : 401, script),
    root: "factor",
    content: card(t, logo, html`<h1>${title}</h1>${about}${alertOf(error)}${answer}${cancel}`),
    images: asList(logo),
    formTargets: signInTargets(auth, request, undefined),
  }
}

/** A page of a module. */
export function modulePage(context: PageContext, { module, shown, csrfToken, script }: PageOf<"module">): View {
  const { auth, request, t } = context
  const { title, blocks, error, status = 200 } = shown
  const logo = imageOf(request, auth.theme.logo)
  const content = blocks.map((block) => blockOf(context, { module, csrfToken, block }))
  return {
    ...plainView(title, status, script),
    root: "module",
    content: card(t, logo, html`<h1>${title}</h1>${alertOf(error)}${content}${backToSite(context)}`),
    images: asList(logo),
    formTargets: [thisSite],
  }
}

export const moduleRules: string = `${backRules}.codes{display:grid;gap:.25rem;margin:1rem 0;padding:0;list-style:none;font-family:ui-monospace,Menlo,Consolas,monospace;text-align:center;overflow-wrap:anywhere}
.module-image{display:block;width:12rem;max-width:100%;margin:1rem auto;background:#fff;border-radius:var(--border-radius)}
`

/** The script may ask the routes of its module. */
function plainView(title: string, status: number, script: string | undefined) {
  return { title, status, rules: moduleRules, script, connects: script !== undefined }
}

function alertOf(error: string | undefined): Html | undefined {
  return error === undefined ? undefined : html`<div class="error" id="module-error" role="alert"><p>${error}</p></div>`
}

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
  readonly submit: string
  /** The first field gets the focus. */
  readonly autofocus?: boolean
  readonly isInvalid?: boolean
}

function formOf(context: PageContext, { action, values, fields, submit, autofocus, isInvalid }: Form): Html {
  const inputs = Object.entries(fields).map(([name, field], index) => {
    const id = `input-${name}`
    const own = {
      ...(autofocus === true && index === 0 && { autofocus: true }),
      ...(isInvalid === true && { "aria-invalid": "true", "aria-describedby": "module-error" }),
    }
    const input = html`<input${attributes(field, { ...own, id, name, type: typeOf(name, field) })}>`
    if (!isShown(field)) return input
    return html`<label class="section-header" for="${id}">${labelOf(name, field, context.t)}</label>${input}`
  })
  return html`<form action="${action}" method="POST">${hiddenFields(values)}${inputs}
<button type="submit" class="submit">${submit}</button></form>`
}
