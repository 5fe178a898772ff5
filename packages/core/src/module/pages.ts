import { toRoute } from "../http/redirect.js"
import { blockOf, formOf, moduleRules } from "../html/blocks.js"
import { widgetFor } from "../html/captcha.js"
import { type Html, html } from "../html/html.js"
import { imageOf } from "../html/image.js"
import { asList, card } from "../html/layout.js"
import { backToSite, legalLinks, legalRules } from "../html/site-link.js"
import { signInTargets } from "../html/targets.js"
import { thisSite } from "../html/source.js"
import type { PageContext, PageOf, PageView, View } from "../html/view.js"
import type { Block } from "../model/module-content.js"

/** How the pages look that only modules have, by their names. */
export const moduleViews: ReadonlyMap<string, PageView> = new Map<string, PageView>([
  ["factor", { render: factorPage }],
  ["module", { render: modulePage }],
])

/** The form of a factor. The user isn't signed in yet. */
function factorPage(context: PageContext, { form, step, error, script }: PageOf<"factor">): View {
  const { auth, request, t } = context
  const { title, text, blocks = [], actions } = form
  const logo = imageOf(request, auth.theme.logo)
  const about = text === undefined ? undefined : html`<p>${text}</p>`
  const answer = formOf(context, {
    action: toRoute(request, "factor"),
    values: step.csrfToken === "" ? {} : { csrfToken: step.csrfToken },
    fields: form.fields,
    submit: form.submit,
    ...(actions && { actions }),
    autofocus: true,
    isInvalid: error !== undefined,
  })
  const shown = blocks.map((block) => blockOf(context, { module: step.factor, csrfToken: undefined, block }))
  const cancel = html`<p class="back"><a class="site" href="${toRoute(request, "signin")}">${t.common.cancel}</a></p>`
  return {
    ...plainView(title, error === undefined ? 200 : 401, script),
    root: "factor",
    content: card(t, logo, html`<h1>${title}</h1>${about}${alertOf(error)}${shown}${answer}${cancel}`),
    images: asList(logo),
    formTargets: signInTargets(auth, request, undefined),
  }
}

/** A page of a module. */
function modulePage(context: PageContext, { module, shown, csrfToken, script }: PageOf<"module">): View {
  const { auth, request, t } = context
  const { title, blocks, error, status = 200, isSignUp } = shown
  const logo = imageOf(request, auth.theme.logo)
  const content = blocks.map((block) => blockOf(context, { module, csrfToken, block }))
  const legal = isSignUp === true ? legalLinks(context) : undefined
  const plain = plainView(title, status, script)
  return {
    ...plain,
    rules: plain.rules + (legal === undefined ? "" : legalRules),
    root: "module",
    content: card(t, logo, html`<h1>${title}</h1>${alertOf(error)}${content}${legal}${backToSite(context)}`),
    images: asList(logo),
    captcha: widgetIn(context, blocks),
    formTargets: [thisSite],
  }
}

function widgetIn({ auth }: PageContext, blocks: readonly Block[]): View["captcha"] {
  return blocks.flatMap((block) =>
    block.kind === "form" && block.captcha !== undefined ? (widgetFor(auth, block.captcha) ?? []) : [],
  )[0]
}

/** The script may ask the routes of its module. */
function plainView(title: string, status: number, script: string | undefined) {
  return { title, status, rules: moduleRules, script, connects: script !== undefined }
}

function alertOf(error: string | undefined): Html | undefined {
  return error === undefined ? undefined : html`<div class="error" id="module-error" role="alert"><p>${error}</p></div>`
}
