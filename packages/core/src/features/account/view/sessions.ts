import { fill } from "../../../i18n/fill.js"
import { toRoute } from "../../../http/redirect.js"
import type { SessionSummary } from "../../../model/account.js"
import { type Html, html } from "../../../html/html.js"
import { deviceName } from "../../../html/labels.js"
import { hiddenFields } from "../../../html/layout.js"
import { phrase } from "../../../html/phrase.js"
import { accountForm, type AccountView, actions, details, itemsOf, section, timeOf } from "../../../html/account.js"

export function sessionsSection(view: AccountView): Html {
  const { sessions, unavailable } = view.overview
  const { heading, signOutOthers, signOutEverywhere } = view.t.account.sessions
  const items = sessions.isAvailable ? sessions.items : []
  const list = sessions.isAvailable
    ? itemsOf({ ...sessions, items: numbered(items.map((session) => looksOf(view, session))) }, "", (item) =>
        sessionItem(view, item),
      )
    : undefined
  const hasOthers = items.length > 1 && unavailable.revokeSession === undefined
  const others = hasOthers ? formOf(view, "revoke-other-sessions", signOutOthers) : undefined
  const all =
    unavailable.revokeSessions === undefined ? formOf(view, "revoke-sessions", signOutEverywhere) : signOut(view)
  return section("sessions", heading, html`${list}${actions([others, all])}`)
}

function formOf(view: AccountView, action: string, text: string): Html {
  return accountForm(view, action, {}, html`<button type="submit">${text}</button>`)
}

interface Item {
  readonly session: SessionSummary
  readonly device: string
  readonly known: Html
}

function looksOf(view: AccountView, session: SessionSummary): Item {
  const { isCurrent, place, createdAt, lastUsedAt } = session
  const { thisDevice, started, lastUsed } = view.t.account.sessions
  const at = (text: string, date: Date | undefined) => date && phrase(text, { date: timeOf(view, date) })
  const known = details([
    isCurrent ? thisDevice : undefined,
    place,
    at(started, createdAt),
    isCurrent ? undefined : at(lastUsed, lastUsedAt),
  ])
  return { session, device: deviceName(view.t, session), known }
}

/** Sessions that look the same get a number. */
function numbered(items: readonly Item[]): readonly Item[] {
  const looks = items.map(({ device, known }) => `${device} ${known.toString()}`)
  return items.map((item, index) => {
    const same = looks.slice(0, index).filter((look) => look === looks[index]).length
    return same === 0 ? item : { ...item, device: `${item.device} (${same + 1})` }
  })
}

function sessionItem(view: AccountView, { session, device, known }: Item): Html {
  const { signOut, signOutLabel } = view.t.account.sessions
  const what = html`<span class="what"><strong>${device}</strong>${known}</span>`
  if (session.isCurrent || view.overview.unavailable.revokeSession !== undefined) return what
  const label = fill(signOutLabel, { device })
  const button = html`<button type="submit"><span aria-hidden="true">${signOut}</span><span class="sr">${label}</span></button>`
  return html`${what}${accountForm(view, "revoke-session", { id: session.id }, button)}`
}

/** Of this browser. */
function signOut({ csrfToken, request, t }: AccountView): Html {
  return html`<form action="${toRoute(request, "signout")}" method="POST">${hiddenFields({ csrfToken })}
<button type="submit">${t.account.sessions.signOut}</button></form>`
}
