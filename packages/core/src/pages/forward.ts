import type { Incoming } from "../model/http.js"
import { html } from "./html.js"
import { card, hiddenFields } from "./layout.js"
import { messages } from "./messages.js"
import { sourceOf, thisSite } from "./source.js"
import type { PageOf, View } from "./view.js"

/** A field may be called `submit` and would then hide the form's own method. */
const submitItself = "HTMLFormElement.prototype.submit.call(document.forms[0])"

/** Posts the fields on, at once where scripts run. */
export function forwardPage({ origin }: Incoming, { action, fields }: PageOf<"forward">): View {
  const { title, heading, text, button } = messages.forward
  const form = html`<form action="${action}" method="POST">${hiddenFields(fields)}
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
  const target = new URL(action, origin).origin === origin ? thisSite : sourceOf(action)
  return {
    title,
    root: "forward",
    status: 200,
    content: card(undefined, html`<h1>${heading}</h1><p>${text}</p>${form}`),
    images: [],
    rules: "",
    script: submitItself,
    formTargets: target === undefined ? undefined : [target],
  }
}
