import { toRoute } from "../../http/redirect.js"
import { fill } from "../../i18n/fill.js"
import type { PasskeySummary } from "../../model/account.js"
import { type Html, attributes, html } from "../../html/html.js"
import { hiddenFields } from "../../html/layout.js"
import { passkeyTexts } from "../../html/passkey-texts.js"
import {
  type AccountView,
  accountForm,
  actions,
  dateOf,
  details,
  disclosure,
  ifRecent,
  itemsOf,
  section,
} from "../../html/account.js"

/** The passkeys of a user, with a form for each change. */
export function passkeysSection(view: AccountView): Html | undefined {
  const { overview, t } = view
  if (overview.passkeyProviders.length === 0) return undefined
  const { heading, none } = t.account.passkeys
  const items = overview.passkeys.isAvailable ? overview.passkeys.items : []
  const list = itemsOf(overview.passkeys, none, (passkey) => passkeyItem(view, passkey, items.indexOf(passkey)))
  return section(
    "passkeys",
    heading,
    html`${list}${actions(overview.passkeyProviders.map(({ id }) => addForm(view, id)))}`,
  )
}

function passkeyItem(view: AccountView, passkey: PasskeySummary, index: number): Html {
  const { created, lastUsed, unnamed } = view.t.account.passkeys
  const name = passkey.name ?? unnamed
  const date = (text: string, value: Date | undefined) =>
    value === undefined ? undefined : fill(text, { date: dateOf(view, value) })
  const times = details([date(created, passkey.createdAt), date(lastUsed, passkey.lastUsedAt)])
  return html`<span class="what"><strong>${name}</strong>${times}</span>
${renameForm(view, passkey, index)}${removeForm(view, passkey, name)}`
}

function renameForm(view: AccountView, { id, name }: PasskeySummary, index: number): Html | undefined {
  if (view.overview.unavailable.renamePasskey !== undefined) return undefined
  const texts = view.t.account.passkeys
  const input = `passkey-name-${index}`
  const field = attributes({
    id: input,
    name: "name",
    type: "text",
    value: name ?? "",
    maxlength: 64,
    autocomplete: "off",
  })
  const content = html`<label for="${input}">${texts.name}</label><input${field}>
<button type="submit">${texts.save}</button>`
  return disclosure(texts.rename, accountForm(view, "rename-passkey", { id }, content))
}

function removeForm(view: AccountView, { id }: PasskeySummary, name: string): Html | undefined {
  const { remove, removeQuestion } = view.t.account.passkeys
  if (view.overview.unavailable.removePasskey !== undefined) return undefined
  const question = html`<p>${fill(removeQuestion, { name })}</p>`
  const form = accountForm(
    view,
    "remove-passkey",
    { id },
    html`<button type="submit" class="danger">${remove}</button>`,
  )
  return disclosure(remove, ifRecent(view, html`${question}${form}`))
}

/** The script of the passkey forms asks the browser for the passkey, and submits the form with it. */
function addForm(view: AccountView, id: string): Html {
  const { csrfToken, request, t } = view
  const settings = {
    url: toRoute(request, `webauthn-options/${id}`),
    autofill: false,
    texts: passkeyTexts(t),
  }
  const fields = hiddenFields({ csrfToken, callbackUrl: toRoute(request, "account") })
  return html`<form id="${`${id}-form`}" action="${toRoute(request, `callback/${id}`)}" method="POST" data-passkey="${JSON.stringify(settings)}">
${fields}<button type="submit" name="action" value="register">${t.account.passkeys.add}</button>
<p role="status"></p><p role="alert"></p>
<noscript><p>${t.passkey.noScript}</p></noscript></form>`
}
