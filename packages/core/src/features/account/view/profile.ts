import { maxTypedImage, maxTypedName } from "../../../limits/of-input.js"
import { phrase } from "../../../html/phrase.js"
import { attributes, type Html, html } from "../../../html/html.js"
import {
  accountForm,
  type AccountView,
  type Beside,
  disclosure,
  errorBeside,
  ifRecent,
  section,
} from "../../../html/account.js"

export function profileSection(view: AccountView): Html {
  const { profile } = view.t.account
  const { name, email } = view.overview.user
  const [nameForm, imageForm] = [profileForm(view, "name"), profileForm(view, "image")]
  const named = name !== undefined || nameForm !== undefined
  const items = [
    named ? html`<li>${fact(profile.name, name ?? "–")}${nameForm}</li>` : undefined,
    imageForm && html`<li>${fact(profile.image, imageHost(view) ?? "–")}${imageForm}</li>`,
    html`<li>${fact(profile.email, email ?? profile.noEmail)}${emailForm(view)}</li>`,
  ]
  return section("profile", profile.heading, html`<ul class="items">${items.filter((item) => item !== undefined)}</ul>`)
}

function fact(name: string, value: string): Html {
  return html`<span class="what"><span class="details">${name}</span>${value}</span>`
}

/** Where the image is. Its whole URL may be long. */
function imageHost({ overview }: AccountView): string | undefined {
  const { image } = overview.user
  return image !== undefined && URL.canParse(image) ? new URL(image).host || undefined : undefined
}

/** The name and the image have a form each, so that the form of one doesn't send the other back. */
function profileForm(view: AccountView, name: "name" | "image"): Html | undefined {
  const { overview, t } = view
  if (overview.unavailable.updateProfile !== undefined) return undefined
  const { profile, passkeys } = t.account
  const value = overview.user[name] ?? ""
  const kinds = {
    name: { heading: profile.changeName, label: profile.name, type: "text", maxlength: maxTypedName },
    image: { heading: profile.changeImage, label: profile.imageUrl, type: "url", maxlength: maxTypedImage },
  } as const
  const { heading, label, ...kind } = kinds[name]
  const id = `profile-${name}`
  const problem = errorBeside(view, name, id)
  const given = { ...kind, id, name, value: value.startsWith("data:") ? "" : value }
  const field = attributes({ ...given, autocomplete: name === "name" ? "name" : "off" }, problem.attributes)
  const content = html`<label for="${id}">${label}</label><input${field}>${problem.text}
<button type="submit" class="submit">${passkeys.save}</button>`
  return disclosure(heading, accountForm(view, "update-profile", {}, content), { isOpen: problem.text !== undefined })
}

function emailForm(view: AccountView): Html | undefined {
  const { auth, overview, t } = view
  const { heading, label, button } = t.account.email
  // Without an email provider, nothing could send the link.
  if (![...auth.providers.values()].some(({ type }) => type === "email")) return undefined
  if (overview.unavailable.changeEmail !== undefined) return undefined
  const problem = errorBeside(view, "email", "new-email")
  const field = { id: "new-email", name: "email", type: "email", required: true, autocomplete: "email" }
  const content = html`<label for="new-email">${label}</label><input${attributes(field, problem.attributes)}>${problem.text}
<button type="submit" class="submit">${button}</button>`
  const form = accountForm(view, "change-email", {}, content)
  return disclosure(heading, ifRecent(view, form), { isOpen: problem.text !== undefined })
}

export function deletionSection(view: AccountView): Html | undefined {
  const { overview, t } = view
  const { heading, warning, button } = t.account.deletion
  if (overview.unavailable.deleteAccount !== undefined) return undefined
  const problem = errorBeside(view, "confirm", "confirm-deletion")
  const content = html`${confirmation(view, problem)}<button type="submit" class="danger">${button}</button>`
  const form = accountForm(view, "delete-account", {}, content)
  const options = { kind: "danger", isOpen: problem.text !== undefined } as const
  return section("deletion", heading, html`<p>${warning}</p>${disclosure(button, ifRecent(view, form), options)}`)
}

/** What the user types, so that nothing is deleted by a wrong click. */
function confirmation({ overview, t }: AccountView, problem: Beside): Html {
  const { label, confirm } = t.account.deletion
  const { email } = overview.user
  if (email === undefined)
    return html`<label class="check"><input type="checkbox" name="confirm" value="on" required>${confirm}</label>`
  const field = { id: "confirm-deletion", name: "confirm", type: "text", required: true, autocomplete: "off" }
  const text = phrase(label, { email: html`<strong>${email}</strong>` })
  const input = attributes(field, { spellcheck: false }, problem.attributes)
  return html`<label for="confirm-deletion">${text}</label><input${input}>${problem.text}`
}
