import { toRoute } from "../../../http/redirect.js"
import type { AccountMessages } from "../../../i18n/account-messages.js"
import { fill } from "../../../i18n/fill.js"
import type { AccountErrorCode, AccountStatus } from "../../../model/http.js"
import { linkedAccountsSection } from "./linked-accounts.js"
import { type AccountView, accountForm, accountRules, again, section } from "./parts.js"
import { passkeysSection } from "./passkeys.js"
import { deletionSection, profileSection } from "./profile.js"
import { sessionsSection } from "./sessions.js"
import { type Html, html } from "../../../html/html.js"
import { imageOf } from "../../../html/image.js"
import { asList, card } from "../../../html/layout.js"
import { blockOf, moduleRules } from "../../pages/module.js"
import { passkeyRules } from "../../passkeys/form.js"
import { phrase } from "../../../html/phrase.js"
import { leavesSite } from "../../pages/provider-form.js"
import { backRules, backToSite } from "../../../html/site-link.js"
import { providerTargets, signInTargets } from "../../../html/targets.js"
import type { PageContext, PageOf, View } from "../../../html/view.js"

/** What belongs to the user, with a form for each change. Everything but adding a passkey works without the script. */
export function accountPage(context: PageContext, page: PageOf<"account">, script?: string): View {
  const { auth, request, t } = context
  const logo = imageOf(request, auth.theme.logo)
  // The URL of a link contains a token, which a logo on another site could learn from the Referer header.
  const shown = page.link === undefined || logo?.source === undefined ? logo : undefined
  const providers = [...auth.providers.values()]
  const oauth = providers.filter(leavesSite)
  return {
    title: t.account.title,
    root: "account",
    status: 200,
    content: card(t, shown, contentOf(context, page)),
    images: asList(shown),
    rules: accountRules + passkeyRules + (auth.modules.length === 0 ? backRules : moduleRules),
    script: page.overview === undefined ? undefined : script,
    connects: providers.some(({ type }) => type === "webauthn"),
    ...(page.link !== undefined && { referrer: "strict-origin" }),
    formTargets: [...signInTargets(auth, request, undefined), ...providerTargets(oauth)],
  }
}

function contentOf(context: PageContext, page: PageOf<"account">): Html {
  const { overview, csrfToken, link } = page
  const { t } = context
  const notice = noticeOf(context, page)
  if (overview === undefined) return html`<h1>${t.account.title}</h1>${notice}${backToSite(context)}`
  const view: AccountView = { ...context, overview, csrfToken }
  if (link !== undefined && page.error === undefined && page.status === undefined) return confirmation(view, link)
  const who = overview.user.email ?? overview.user.name
  const signedIn =
    who === undefined
      ? undefined
      : html`<p class="who">${phrase(t.account.signedInAs, { user: html`<strong>${who}</strong>` })}</p>`
  return html`<h1>${t.account.title}</h1>${signedIn}${notice}
${profileSection(view)}${passkeysSection(view)}${linkedAccountsSection(view)}${sessionsSection(view)}${moduleSections(view)}${deletionSection(view)}
${backToSite(context)}`
}

function moduleSections(view: AccountView): readonly Html[] {
  return (view.overview.sections ?? []).map(({ module, title, blocks }) =>
    section(module, title, html`${blocks.map((block) => blockOf(view, { module, csrfToken: view.csrfToken, block }))}`),
  )
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
  if (error !== undefined) return html`<div class="error" role="alert"><p>${errorText(context, error)}</p></div>`
  return status === undefined ? undefined : html`<p class="done" role="status">${statusText(t.account, status)}</p>`
}

function errorText({ t }: PageContext, code: AccountErrorCode): string {
  const { account, signinErrors } = t
  const texts: Readonly<Record<AccountErrorCode, string>> = {
    AccountNotLinked: signinErrors.accountNotLinked,
    EmailSignin: signinErrors.email,
    Failed: account.failed,
    LastSignInMethod: account.passkeys.lastWayIn,
    MissingCSRF: signinErrors.csrf,
    NotConfirmed: account.deletion.mismatch,
    RateLimited: signinErrors.rateLimited,
    RecentSignInRequired: account.signInAgain.text,
    Verification: account.email.expired,
  }
  return texts[code]
}

function statusText(t: AccountMessages, { done, email = "" }: AccountStatus): string {
  const texts: Readonly<Record<AccountStatus["done"], string>> = {
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
