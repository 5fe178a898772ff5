import { toRoute } from "../../../http/redirect.js"
import type { AccountOverview, AccountPart } from "../../../model/account.js"
import type { AuthRequest } from "../../../model/http.js"
import { type Html, html } from "../../../html/html.js"
import { hiddenFields } from "../../../html/layout.js"
import type { PageContext } from "../../../html/view.js"

/** What each section is rendered from. */
export interface AccountView extends PageContext {
  readonly overview: AccountOverview
  readonly csrfToken: string | undefined
}

export function section(id: string, heading: string, content: Html): Html {
  const label = `account-${id}`
  return html`<section aria-labelledby="${label}"><h2 id="${label}">${heading}</h2>${content}</section>`
}

/** A form for one change of the account. */
export function accountForm(
  { request, csrfToken }: AccountView,
  action: string,
  fields: Readonly<Record<string, string>>,
  content: Html,
): Html {
  return html`<form action="${toRoute(request, "account")}" method="POST">${hiddenFields({ csrfToken, action, ...fields })}${content}</form>`
}

interface DisclosureOptions {
  /** What screen readers say instead of the visible text. */
  readonly label?: string
  /** @default "plain" */
  readonly kind?: "plain" | "danger"
}

/** A change that opens first, so that no user makes it by mistake. */
export function disclosure(summary: string, content: Html, { label, kind = "plain" }: DisclosureOptions = {}): Html {
  const name =
    label === undefined
      ? html`${summary}`
      : html`<span aria-hidden="true">${summary}</span><span class="sr">${label}</span>`
  return html`<details><summary class="${kind}">${name}</summary><div>${content}</div></details>`
}

/** Buttons below the items of a section. */
export function actions(forms: readonly (Html | undefined)[]): Html {
  return html`<div class="actions">${forms.filter((form) => form !== undefined)}</div>`
}

/** The content, or the way to a recent sign-in, which the change needs. */
export function ifRecent(view: AccountView, content: Html): Html {
  return view.overview.isRecent ? content : again(view)
}

export function again({ t, request }: PageContext): Html {
  const { text, button } = t.account.signInAgain
  return html`<div class="again"><p>${text}</p><a class="button" href="${signInUrl(request)}">${button}</a></div>`
}

function signInUrl(request: AuthRequest): string {
  return toRoute(request, "signin", { callbackUrl: toRoute(request, "account") })
}

export function unsupported({ t }: PageContext): Html {
  return html`<p class="note">${t.account.unsupported}</p>`
}

/** The items of a part, or why it has none. */
export function itemsOf<T>(view: AccountView, part: AccountPart<T>, none: string, render: (item: T) => Html): Html {
  if (!part.isAvailable) return unsupported(view)
  if (part.items.length === 0) return html`<p class="note">${none}</p>`
  const more = part.hasMore ? html`<li>…</li>` : undefined
  return html`<ul class="items">${part.items.map((item) => html`<li>${render(item)}</li>`)}${more}</ul>`
}

export function dateOf({ locale }: PageContext, date: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(date)
}

/** The details of an item, in one line. */
export function details(texts: readonly (string | undefined)[]): Html {
  const known = texts.filter((text) => text !== undefined)
  return html`<span class="details">${known.map((text) => html`<span>${text}</span>`)}</span>`
}

/** CSS rules that only the account page needs. */
export const accountRules = `
@media (min-width:451px){.account .card{width:40rem}}
.account h1{margin-bottom:.25rem}
.account .logo{margin-inline:0}
.account h1,.account .who{text-align:start}
.account .who,.account .note,.account .details{font-size:.875rem;color:var(--color-primary)}
.account section{margin-top:1.5rem;padding-top:1.5rem;border-top:var(--border-width) solid var(--color-separator)}
.account h2{margin:0 0 .5rem;font-size:1rem;line-height:1.5;font-weight:600}
.account section>p{font-size:.875rem;color:var(--color-primary)}
.account .done{margin:0 0 1rem;padding:.75rem 1rem;border:var(--border-width) solid var(--color-info);border-radius:var(--border-radius)}
.account .items{margin:0;padding:0;list-style:none}
.account .items li{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;min-height:3.75rem;padding:.5rem 0}
.account .items li+li{border-top:var(--border-width) solid var(--color-separator)}
.account .items strong{font-weight:500}
.account .what{flex:1 1 10rem;display:flex;flex-direction:column;font-size:.9375rem;line-height:1.375rem}
.account .details{display:flex;flex-wrap:wrap;gap:0 1rem}
.account form{height:auto}
.account summary,.account .items button:not(.submit),.account .actions button{width:auto;min-width:2.75rem;padding-inline:.875rem;font-size:.875rem}
.account summary{display:inline-flex}
.account li details[open]{flex-basis:100%}
.account details>div{padding:.75rem 0 .25rem}
.account .actions{display:flex;flex-wrap:wrap;gap:.5rem;margin-top:.75rem}
.account .danger{color:var(--color-error);border-color:color-mix(in srgb,var(--color-error) 60%,transparent)}
.account .check{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;margin:0 0 1rem}
.account .check input{margin:0;flex:none}
.account .sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.account .again{margin:0 0 1rem}
.account .back{margin-top:1.5rem;padding-top:1.25rem;border-top:var(--border-width) solid var(--color-separator)}
`
