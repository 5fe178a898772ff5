import type { Auth } from "../model/auth.js"
import type { Incoming } from "../model/http.js"
import { html } from "./html.js"
import { imageOf } from "./image.js"
import { card, hiddenFields, present } from "./layout.js"
import { messages } from "./messages.js"
import { endsOfSignIn } from "./targets.js"
import type { PageOf, View } from "./view.js"

/** Where a link leads that was opened by a scanner or on another device: only a person posts. */
export function confirmEmailPage(auth: Auth, incoming: Incoming, page: PageOf<"confirm-email">): View {
  const { title, heading, text, warning, button } = messages.confirmEmail
  const { action, fields, csrfToken } = page
  const logo = imageOf(incoming, auth.theme.logo)
  // The address of this page holds the token: it asks no other site for anything.
  const own = logo?.source === undefined ? logo : undefined
  const form = html`<form action="${action}" method="POST">${hiddenFields({ ...fields, csrfToken })}
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
  return {
    title,
    root: "confirm-email",
    status: 200,
    content: card(own, html`<h1>${heading(new URL(incoming.origin).host)}</h1><p>${text}</p><p>${warning}</p>${form}`),
    images: present(own),
    rules: "",
    formTargets: endsOfSignIn(auth, incoming, fields["callbackUrl"]),
  }
}
