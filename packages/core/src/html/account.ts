import { toRoute } from "../http/redirect.js"
import type { AccountOverview, AccountPart } from "../model/account.js"
import type { AuthRequest } from "../model/http.js"
import { type Html, html } from "./html.js"
import { hiddenFields } from "./layout.js"
import type { PageContext } from "./view.js"

/** What each section is rendered from. */
export interface AccountView extends PageContext {
  readonly overview: AccountOverview
  readonly csrfToken: string | undefined
}

/** A part of the account page. `undefined`: there is nothing to show. */
export type AccountSection = (view: AccountView) => Html | undefined

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
