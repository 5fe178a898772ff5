import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { html } from "./html.js"
import { imageOf } from "./image.js"
import { card, hiddenFields, asList } from "./layout.js"
import { messages } from "./messages.js"
import { externalSource, thisSite } from "./source.js"
import type { PageOf, View } from "./view.js"

export function signOutPage({ theme }: AuthContext, request: AuthRequest, page: PageOf<"signout">): View {
  const { title, heading, question, button } = messages.signout
  const { csrfToken, callbackUrl } = page
  const logo = imageOf(request, theme.logo)
  const form = html`<form action="${request.base}/signout" method="POST">${hiddenFields({ csrfToken, callbackUrl })}
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
  const external = externalSource(request.origin, callbackUrl)
  return {
    title,
    root: "signout",
    status: 200,
    content: card(logo, html`<h1>${heading}</h1><p>${question}</p>${form}`),
    images: asList(logo),
    rules: "",
    formTargets: external === undefined ? [thisSite] : [thisSite, external],
  }
}
