import type { AuthRequest } from "../model/http.js"
import { type Html, html } from "./html.js"

/** A link to the home page. */
export function siteLink({ origin }: AuthRequest): Html {
  return html`<a class="site" href="${origin}">${new URL(origin).host}</a>`
}
