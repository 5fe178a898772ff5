import { fill } from "../../../i18n/fill.js"
import { toRoute } from "../../../http/redirect.js"
import type { SessionSummary } from "../../../model/account.js"
import { type Html, html } from "../../../html/html.js"
import { hiddenFields } from "../../../html/layout.js"
import { accountForm, type AccountView, actions, dateOf, details, itemsOf, section } from "../../../html/account.js"

export function sessionsSection(view: AccountView): Html {
  const { sessions, unavailable } = view.overview
  const { heading, signOutOthers, signOutEverywhere } = view.t.account.sessions
  const items = sessions.isAvailable ? sessions.items : []
  const list = itemsOf(view, sessions, "", (session) => sessionItem(view, session))
  const hasOthers = items.length > 1 && unavailable.revokeSession === undefined
  const others = hasOthers ? formOf(view, "revoke-other-sessions", signOutOthers) : undefined
  const all =
    unavailable.revokeSessions === undefined ? formOf(view, "revoke-sessions", signOutEverywhere) : signOut(view)
  return section("sessions", heading, html`${list}${actions([others, all])}`)
}

function formOf(view: AccountView, action: string, text: string): Html {
  return accountForm(view, action, {}, html`<button type="submit">${text}</button>`)
}

function sessionItem(view: AccountView, session: SessionSummary): Html {
  const { thisDevice, started, lastUsed, signOut, signOutLabel } = view.t.account.sessions
  const { id, isCurrent, createdAt, lastUsedAt } = session
  const device = deviceOf(view, session)
  const date = (text: string, value: Date | undefined) =>
    value === undefined ? undefined : fill(text, { date: dateOf(view, value) })
  const known = details([
    isCurrent ? thisDevice : undefined,
    date(started, createdAt),
    isCurrent ? undefined : date(lastUsed, lastUsedAt),
  ])
  const what = html`<span class="what"><strong>${device}</strong>${known}</span>`
  if (isCurrent || view.overview.unavailable.revokeSession !== undefined) return what
  const label = fill(signOutLabel, { device })
  const button = html`<button type="submit"><span aria-hidden="true">${signOut}</span><span class="sr">${label}</span></button>`
  return html`${what}${accountForm(view, "revoke-session", { id }, button)}`
}

function deviceOf({ t }: AccountView, { browser, system }: SessionSummary): string {
  const { device, unknownDevice } = t.account.sessions
  if (browser !== undefined && system !== undefined) return fill(device, { browser, system })
  return browser ?? system ?? unknownDevice
}

/** Of this browser. */
function signOut({ csrfToken, request, t }: AccountView): Html {
  return html`<form action="${toRoute(request, "signout")}" method="POST">${hiddenFields({ csrfToken })}
<button type="submit">${t.account.sessions.signOut}</button></form>`
}
