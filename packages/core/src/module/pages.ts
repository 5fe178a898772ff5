import { toRoute } from "../http/redirect.js"
import { blockOf, formOf, moduleRules } from "../html/blocks.js"
import { widgetFor } from "../html/captcha.js"
import { type Html, html } from "../html/html.js"
import { imageOf } from "../html/image.js"
import { passkeyTexts } from "../html/passkey-texts.js"
import { asList, card } from "../html/layout.js"
import { backToSite, legalLinks, legalRules } from "../html/site-link.js"
import type { PageBlock, PasskeyBlock, PasskeyButton } from "../model/module-content.js"
import { signInTargets } from "../html/targets.js"
import { sourceOf, thisSite } from "../html/source.js"
import type { PageContext, PageOf, PageView, View } from "../html/view.js"

/** How the pages look that only modules have, by their names. */
export const moduleViews: ReadonlyMap<string, PageView> = new Map<string, PageView>([
  ["factor", { render: factorPage, script: ({ form }: PageOf<"factor">) => scriptFor(form.passkey !== undefined) }],
  [
    "module",
    {
      render: modulePage,
      script: ({ shown }: PageOf<"module">) => scriptFor(shown.blocks.some(({ kind }) => kind === "passkey")),
    },
  ],
])

interface PasskeyForm {
  readonly module: string
  readonly csrfToken: string | undefined
  readonly block: PasskeyBlock
}

function passkeyForm(context: PageContext, { module, csrfToken, block }: PasskeyForm): Html {
  const form = formOf(context, {
    action: toRoute(context.request, `${module}/${block.route}`),
    values: { ...(csrfToken !== undefined && { csrfToken }), ...block.values },
    fields: {},
    submit: undefined,
    more: passkeyButton(context, block),
  })
  return html`${form}<noscript><p>${context.t.passkey.noScript}</p></noscript>`
}

/** The script shows the button, and what comes of it. */
function passkeyButton({ t }: PageContext, { label, options }: PasskeyButton): Html {
  const settings = JSON.stringify({ options, texts: passkeyTexts(t) })
  return html`
<button type="button" data-passkey="${settings}" hidden>${label}</button><p role="status"></p><p role="alert"></p>`
}

const passkeyRules = `.module-form>p{margin:.75rem 0 0;text-align:center}.module-form>p:empty{margin:0}.module-form>[role=alert]{color:var(--color-error)}
`

/** The script of passkey providers sets up the button, too. */
function scriptFor(hasPasskeyButton: boolean): "provider" | undefined {
  return hasPasskeyButton ? "provider" : undefined
}

/** The form of a factor. The user isn't signed in yet. */
function factorPage(
  context: PageContext,
  { form, step, error, script: own }: PageOf<"factor">,
  passkeys?: string,
): View {
  const { auth, request, t } = context
  const { title, text, blocks = [], actions, passkey } = form
  const logo = imageOf(request, auth.theme.logo)
  const about = text === undefined ? undefined : html`<p>${text}</p>`
  const answer = formOf(context, {
    action: toRoute(request, "factor"),
    values: step.csrfToken === "" ? {} : { csrfToken: step.csrfToken },
    fields: form.fields,
    submit: form.submit,
    ...(actions && { actions }),
    more: passkey && passkeyButton(context, passkey),
    autofocus: true,
    isInvalid: error !== undefined,
  })
  const shown = blocks.map((block) => blockOf(context, { module: step.factor, csrfToken: undefined, block }))
  const cancel = html`<p class="back"><a class="site" href="${toRoute(request, "signin")}">${t.common.cancel}</a></p>`
  return {
    ...plainView(title, error === undefined ? 200 : 401, together(passkeys, own)),
    root: "factor",
    content: card(t, logo, html`<h1>${title}</h1>${about}${alertOf(error)}${shown}${answer}${cancel}`),
    images: asList(logo),
    formTargets: signInTargets(auth, request, undefined),
  }
}

/** A page of a module. */
function modulePage(
  context: PageContext,
  { module, shown, csrfToken, script: own }: PageOf<"module">,
  passkeys?: string,
): View {
  const { auth, request, t } = context
  const { title, blocks, error, status = 200, isSignUp, redirects = [] } = shown
  const logo = imageOf(request, auth.theme.logo)
  const content = blocks.map((block) =>
    block.kind === "passkey"
      ? passkeyForm(context, { module, csrfToken, block })
      : blockOf(context, { module, csrfToken, block }),
  )
  const legal = isSignUp === true ? legalLinks(context) : undefined
  const plain = plainView(title, status, together(passkeys, own))
  return {
    ...plain,
    rules: plain.rules + (legal === undefined ? "" : legalRules),
    root: "module",
    content: card(t, logo, html`<h1>${title}</h1>${alertOf(error)}${content}${legal}${backToSite(context)}`),
    images: asList(logo),
    captcha: widgetIn(context, blocks),
    formTargets: [thisSite, ...redirects.flatMap((url) => sourceOf(url) ?? [])],
  }
}

function widgetIn({ auth }: PageContext, blocks: readonly PageBlock[]): View["captcha"] {
  return blocks.flatMap((block) =>
    block.kind === "form" && block.captcha !== undefined ? (widgetFor(auth, block.captcha) ?? []) : [],
  )[0]
}

function together(passkeys: string | undefined, own: string | undefined): string | undefined {
  return passkeys === undefined || own === undefined ? (passkeys ?? own) : `${passkeys}\n${own}`
}

/** The script may ask the routes of its module. */
function plainView(title: string, status: number, script: string | undefined) {
  return { title, status, rules: moduleRules + passkeyRules, script, connects: script !== undefined }
}

function alertOf(error: string | undefined): Html | undefined {
  return error === undefined ? undefined : html`<div class="error" id="module-error" role="alert"><p>${error}</p></div>`
}
