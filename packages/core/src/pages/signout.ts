import { toRoute } from "../http/redirect.js"
import { html } from "./html.js"
import { imageOf } from "./image.js"
import { card, hiddenFields, asList } from "./layout.js"
import { externalSource, thisSite } from "./source.js"
import type { PageContext, PageOf, View } from "./view.js"

export function signOutPage({ auth, request, t }: PageContext, page: PageOf<"signout">): View {
  const { title, heading, question, button } = t.signout
  const { csrfToken, callbackUrl } = page
  const logo = imageOf(request, auth.theme.logo)
  const form = html`<form action="${toRoute(request, "signout")}" method="POST">${hiddenFields({ csrfToken, callbackUrl })}
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
  const external = externalSource(request.origin, callbackUrl)
  return {
    title,
    root: "signout",
    status: 200,
    content: card(t, logo, html`<h1>${heading}</h1><p>${question}</p>${form}`),
    images: asList(logo),
    rules: "",
    formTargets: external === undefined ? [thisSite] : [thisSite, external],
  }
}
