import type { Auth } from "../model/auth.js"
import type { Incoming } from "../model/http.js"
import { html } from "./html.js"
import { imageOf } from "./image.js"
import { card, present } from "./layout.js"
import { messages } from "./messages.js"
import { siteLink } from "./site-link.js"
import type { View } from "./view.js"

export function verifyRequestPage({ theme }: Auth, incoming: Incoming): View {
  const { title, heading, text } = messages.verifyRequest
  const logo = imageOf(incoming, theme.logo)
  return {
    title,
    root: "verify-request",
    status: 200,
    content: card(logo, html`<h1>${heading}</h1><p>${text}</p><p>${siteLink(incoming)}</p>`),
    images: present(logo),
    rules: "",
    formTargets: ["'none'"],
  }
}
