import type { Auth } from "../model/auth.js"
import type { Incoming } from "../model/http.js"
import { html } from "./html.js"
import { imageOf } from "./image.js"
import { card, present } from "./layout.js"
import { messages } from "./messages.js"
import { siteLink } from "./site-link.js"
import type { View } from "./view.js"

export function verifyRequestPage({ theme, providers }: Auth, incoming: Incoming): View {
  const { title, heading, text, lasts } = messages.verifyRequest
  const logo = imageOf(incoming, theme.logo)
  const provider = providers.get(incoming.query["provider"] ?? "")
  const life = provider?.type === "email" ? html`<p>${lasts(provider.maxAge)}</p>` : html``
  return {
    title,
    root: "verify-request",
    status: 200,
    content: card(logo, html`<h1>${heading}</h1><p>${text}</p>${life}<p>${siteLink(incoming)}</p>`),
    images: present(logo),
    rules: "",
    formTargets: ["'none'"],
  }
}
