import { toRoute } from "../http/redirect.js"
import type { AccountOverview, AccountPart } from "../model/account.js"
import type { AccountErrorCode, AuthRequest } from "../model/http.js"
import { attributes, type Html, html } from "./html.js"
import { hiddenFields } from "./layout.js"
import type { PageContext } from "./view.js"

/** What each section is rendered from. */
export interface AccountView extends PageContext {
  readonly overview: AccountOverview
  readonly csrfToken: string | undefined
  /** Why the last form was refused. */
  readonly error?: AccountErrorCode | undefined
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

/** The text of an error, and the attributes of the field that it's about. Empty: the last form had no such error. */
export interface Beside {
  readonly text: Html | undefined
  readonly attributes: Readonly<Record<string, string | boolean>>
}

type Fields = "name" | "image" | "email" | "confirm"

/** The field that an error is about, if the page has it. */
function fieldOf(view: AccountView): Fields | undefined {
  const { error, overview } = view
  const { unavailable, isRecent } = overview
  if (error === "InvalidProfile") return profileFieldOf(view)
  if (!isRecent) return undefined
  if (error === "NotConfirmed" && unavailable.deleteAccount === undefined)
    return overview.user.email === undefined ? undefined : "confirm"
  const isOfEmail = error === "EmailSignin" || error === "RateLimited"
  return isOfEmail && unavailable.changeEmail === undefined ? "email" : undefined
}

function profileFieldOf({ overview, request }: AccountView): Fields | undefined {
  if (overview.unavailable.updateProfile !== undefined) return undefined
  return request.query["field"] === "name" ? "name" : "image"
}

/** Whether the error is beside a field, so not on top of the page. */
export function isBeside(view: AccountView): boolean {
  return fieldOf(view) !== undefined
}

/** @param id of the field in the page */
export function errorBeside(view: AccountView, field: Fields, id: string): Beside {
  const { error } = view
  if (error === undefined || fieldOf(view) !== field) return { text: undefined, attributes: {} }
  const text = html`<div class="error" role="alert"><p id="${`${id}-error`}">${accountErrorText(view, error)}</p></div>`
  return { text, attributes: { "aria-invalid": "true", "aria-describedby": `${id}-error`, autofocus: true } }
}

export function accountErrorText({ t }: PageContext, code: AccountErrorCode): string {
  const { account, signinErrors } = t
  const texts: Readonly<Record<AccountErrorCode, string>> = {
    AccountNotLinked: signinErrors.accountNotLinked,
    EmailSignin: signinErrors.email,
    Failed: account.failed,
    InvalidProfile: account.profile.invalid,
    LastSignInMethod: account.passkeys.lastWayIn,
    MissingCSRF: signinErrors.csrf,
    NotConfirmed: account.deletion.mismatch,
    PasskeyInUse: account.passkeys.inUse,
    RateLimited: signinErrors.rateLimited,
    RecentSignInRequired: account.signInAgain.text,
    Verification: account.email.expired,
  }
  return texts[code]
}

interface DisclosureOptions {
  /** @default false */
  readonly isOpen?: boolean
  /** What screen readers say instead of the visible text. */
  readonly label?: string
  /** @default "plain" */
  readonly kind?: "plain" | "danger"
}

/** A change that opens first, so that no user makes it by mistake. */
export function disclosure(summary: string, content: Html, options: DisclosureOptions = {}): Html {
  const { label, kind = "plain", isOpen = false } = options
  const name =
    label === undefined
      ? html`${summary}`
      : html`<span aria-hidden="true">${summary}</span><span class="sr">${label}</span>`
  return html`<details${attributes({ open: isOpen })}><summary class="${kind}">${name}</summary><div>${content}</div></details>`
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

/** The items of a part. `undefined`: this application doesn't have it, which users can't change. */
export function itemsOf<T>(part: AccountPart<T>, none: string, render: (item: T) => Html): Html | undefined {
  if (!part.isAvailable) return undefined
  if (part.items.length === 0) return html`<p class="note">${none}</p>`
  const more = part.hasMore ? html`<li>…</li>` : undefined
  return html`<ul class="items">${part.items.map((item) => html`<li>${render(item)}</li>`)}${more}</ul>`
}

export function dateOf({ locale }: PageContext, date: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(date)
}

const minutes = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const

/** The server doesn't know the user's time zone. The script of the page writes the time in it. */
export function timeOf({ locale }: PageContext, date: Date): Html {
  const options = { ...minutes, timeZone: "UTC", timeZoneName: "short" } as const
  const text = new Intl.DateTimeFormat(locale, options).format(date)
  return html`<time datetime="${date.toISOString()}">${text}</time>`
}

/** The details of an item, in one line. */
export function details(texts: readonly (string | Html | undefined)[]): Html {
  const known = texts.filter((text) => text !== undefined)
  return html`<span class="details">${known.map((text) => html`<span>${text}</span>`)}</span>`
}
