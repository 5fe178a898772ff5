import { toRoute } from "../../../http/redirect.js"
import type { AccountMessages } from "../../../i18n/account-messages.js"
import { fill } from "../../../i18n/fill.js"
import type { AccountStatus } from "../../../model/http.js"
import {
  type AccountSection,
  type AccountView,
  accountErrorText,
  accountForm,
  again,
  isBeside,
  section,
} from "../../../html/account.js"
import { deletionSection, profileSection } from "./profile.js"
import { sessionsSection } from "./sessions.js"
import { blockOf, moduleRules } from "../../../html/blocks.js"
import { type Html, html } from "../../../html/html.js"
import { type Image, imageOf } from "../../../html/image.js"
import { asList, card } from "../../../html/layout.js"
import { phrase } from "../../../html/phrase.js"
import { backRules, backToSite } from "../../../html/site-link.js"
import { signInTargets } from "../../../html/targets.js"
import { type PageContext, type PageOf, type FeaturePageView, type View, targetsOf } from "../../../html/view.js"

/** @param sections what other features show */
export function accountView(sections: readonly AccountSection[]): FeaturePageView<PageOf<"account">> {
  return {
    render: (context, page, script) => accountPage(context, page, { sections, script }),
    script: () => "provider",
    stepOf({ request }, { overview, csrfToken = "" }) {
      return { result: { status: "account", overview, csrfToken, url: toRoute(request, "account") }, status: 200 }
    },
  }
}

interface Options {
  readonly sections: readonly AccountSection[]
  readonly script: string | undefined
}

/** What belongs to the user, with a form for each change. Everything but adding a passkey works without the script. */
function accountPage(context: PageContext, page: PageOf<"account">, { sections, script }: Options): View {
  const { auth, request, t } = context
  const logo = imageOf(request, auth.theme.logo)
  // The URL of a link contains a token, which a logo on another site could learn from the Referer header.
  const shown = page.link === undefined || logo?.source === undefined ? logo : undefined
  const hasModules = auth.modules.length > 0
  const views = [...context.views.values()]
  const targets = [...auth.providers.values()].flatMap((provider) => targetsOf(context, provider))
  return {
    title: t.account.title,
    root: "account",
    status: 200,
    content: card(t, shown, contentOf(context, page, sections)),
    images: [...asList(shown), ...asList(avatarOf(context, page))],
    rules: [accountRules, ...new Set(views.map(({ rules = "" }) => rules)), hasModules ? moduleRules : backRules].join(
      "",
    ),
    script: page.overview === undefined || script === undefined ? undefined : script + timesScript,
    connects: views.some(({ connects }) => connects),
    ...(page.link !== undefined && { referrer: "strict-origin" }),
    formTargets: [...signInTargets(auth, request, undefined), ...targets],
  }
}

/** Writes times in the time zone of the user, which the server doesn't know. */
const timesScript =
  "for(const t of document.querySelectorAll('time'))t.textContent=new Intl.DateTimeFormat(document.documentElement.lang,{dateStyle:'medium',timeStyle:'short'}).format(new Date(t.dateTime))"

function contentOf(context: PageContext, page: PageOf<"account">, sections: readonly AccountSection[]): Html {
  const { overview, csrfToken, link } = page
  const { t } = context
  if (overview === undefined) return html`<h1>${t.account.title}</h1>${noticeOf(context, page)}${backToSite(context)}`
  const view: AccountView = { ...context, overview, csrfToken, error: page.error }
  const notice = isBeside(view) ? undefined : noticeOf(context, page)
  if (link !== undefined && page.error === undefined && page.status === undefined) return confirmation(view, link)
  const who = overview.user.email ?? overview.user.name
  const signedIn =
    who === undefined
      ? undefined
      : html`<p class="who">${phrase(t.account.signedInAs, { user: html`<strong>${who}</strong>` })}</p>`
  const image = avatarOf(context, page)
  const avatar = image && html`<img class="avatar" src="${image.src}" alt="" referrerpolicy="no-referrer">`
  return html`${avatar}<h1>${t.account.title}</h1>${signedIn}${notice}
${profileSection(view)}${sections.flatMap((render) => render(view) ?? [])}${sessionsSection(view)}${moduleSections(view)}${deletionSection(view)}
${backToSite(context)}`
}

function moduleSections(view: AccountView): readonly Html[] {
  return (view.overview.sections ?? []).map(({ module, title, blocks }) =>
    section(module, title, html`${blocks.map((block) => blockOf(view, { module, csrfToken: view.csrfToken, block }))}`),
  )
}

/** The image of the user, which may be on another site. */
function avatarOf({ request }: PageContext, { overview, link }: PageOf<"account">): Image | undefined {
  // The URL of a link contains a token.
  return link === undefined ? imageOf(request, overview?.user.image) : undefined
}

/** A link scanner opens the link, but doesn't submit the form. */
function confirmation(view: AccountView, link: { readonly token: string; readonly email: string }): Html {
  const { t, overview } = view
  const { confirmHeading, confirmText, confirmButton } = t.account.email
  const text = html`<p>${phrase(confirmText, { email: html`<strong>${link.email}</strong>` })}</p>`
  const others =
    overview.unavailable.revokeSession === undefined
      ? html`<label class="check"><input type="checkbox" name="revokeOtherSessions" value="on">${t.account.sessions.signOutOthers}</label>`
      : undefined
  const button = html`<button type="submit" class="submit" id="submitButton">${confirmButton}</button>`
  return html`<h1>${confirmHeading}</h1>${text}${accountForm(view, "confirm-email", link, html`${others}${button}`)}
<p class="back"><a class="site" href="${toRoute(view.request, "account")}">${t.common.cancel}</a></p>`
}

function noticeOf(context: PageContext, { status, error }: PageOf<"account">): Html | undefined {
  const { t } = context
  if (error === "RecentSignInRequired") return again(context)
  if (error !== undefined) return html`<div class="error" role="alert"><p>${accountErrorText(context, error)}</p></div>`
  return status === undefined ? undefined : html`<p class="done" role="status">${statusText(t.account, status)}</p>`
}

function statusText(t: AccountMessages, { done, email = "" }: AccountStatus): string {
  const texts: Readonly<Record<AccountStatus["done"], string>> = {
    "profile-changed": t.saved,
    renamed: t.saved,
    "passkey-removed": t.passkeys.removed,
    disconnected: t.accounts.disconnected,
    "session-ended": t.sessions.ended,
    "others-ended": t.sessions.othersEnded,
    "email-sent": fill(t.email.sent, { email }),
    "email-changed": t.email.changed,
    deleted: t.deletion.done,
  }
  return texts[done]
}

const accountRules = `
@media (min-width:451px){.account .card{width:40rem}}
.account h1{margin-bottom:.25rem}
.account .logo{margin-inline:0}
.account h1,.account .who{text-align:start}
.account .avatar{float:inline-end;width:3rem;height:3rem;border-radius:50%;object-fit:cover}
.account .who,.account .note,.account .details{font-size:.875rem;color:var(--color-primary)}
.account section{margin-top:1.5rem;padding-top:1.5rem;border-top:var(--border-width) solid var(--color-separator)}
.account h2{margin:0 0 .5rem;font-size:1rem;line-height:1.5;font-weight:600}
.account section>p{font-size:.875rem;color:var(--color-primary)}
.account .done{margin:0 0 1rem;padding:.75rem 1rem;border:var(--border-width) solid var(--color-info);border-radius:var(--border-radius)}
.account .items{margin:0;padding:0;list-style:none}
.account .items li{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;min-height:3.75rem;padding:.5rem 0}
.account .items li+li{border-top:var(--border-width) solid var(--color-separator)}
.account .items strong{font-weight:500}
.account .what{flex:1 1 7rem;display:flex;flex-direction:column;font-size:.9375rem;line-height:1.375rem}
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
