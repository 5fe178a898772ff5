import { phrase } from "../../../html/phrase.js"
import { attributes, type Html, html } from "../../../html/html.js"
import { accountForm, type AccountView, disclosure, ifRecent, section, unsupported } from "../../../html/account.js"

export function profileSection(view: AccountView): Html {
  const { profile } = view.t.account
  const { name, email } = view.overview.user
  const named = name === undefined ? undefined : html`<li>${fact(profile.name, name)}</li>`
  const own = html`<li>${fact(profile.email, email ?? profile.noEmail)}${emailForm(view)}</li>`
  return section("profile", profile.heading, html`<ul class="items">${named}${own}</ul>`)
}

function fact(name: string, value: string): Html {
  return html`<span class="what"><span class="details">${name}</span>${value}</span>`
}

function emailForm(view: AccountView): Html | undefined {
  const { auth, overview, t } = view
  const { heading, label, button } = t.account.email
  // Without an email provider, nothing could send the link.
  if (![...auth.providers.values()].some(({ type }) => type === "email")) return undefined
  if (overview.unavailable.changeEmail !== undefined) return unsupported(view)
  const field = { id: "new-email", name: "email", type: "email", required: true, autocomplete: "email" }
  const content = html`<label for="new-email">${label}</label><input${attributes(field)}>
<button type="submit" class="submit">${button}</button>`
  return disclosure(heading, ifRecent(view, accountForm(view, "change-email", {}, content)))
}

export function deletionSection(view: AccountView): Html {
  const { overview, t } = view
  const { heading, warning, button } = t.account.deletion
  if (overview.unavailable.deleteAccount !== undefined) return section("deletion", heading, unsupported(view))
  const content = html`${confirmation(view)}<button type="submit" class="danger">${button}</button>`
  const form = accountForm(view, "delete-account", {}, content)
  return section(
    "deletion",
    heading,
    html`<p>${warning}</p>${disclosure(button, ifRecent(view, form), { kind: "danger" })}`,
  )
}

/** What the user types, so that nothing is deleted by a wrong click. */
function confirmation({ overview, t }: AccountView): Html {
  const { label, confirm } = t.account.deletion
  const { email } = overview.user
  if (email === undefined)
    return html`<label class="check"><input type="checkbox" name="confirm" value="on" required>${confirm}</label>`
  const field = { id: "confirm-deletion", name: "confirm", type: "text", required: true, autocomplete: "off" }
  const text = phrase(label, { email: html`<strong>${email}</strong>` })
  return html`<label for="confirm-deletion">${text}</label><input${attributes(field, { spellcheck: false })}>`
}
