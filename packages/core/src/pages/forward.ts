import { html } from "./html.js"
import { card, hiddenFields } from "./layout.js"
import { sourceOf, thisSite } from "./source.js"
import type { PageContext, PageOf, View } from "./view.js"

/** Calls the prototype's method, because a field named `submit` shadows `form.submit`. */
const submitScript = "HTMLFormElement.prototype.submit.call(document.forms[0])"

/** Posts the fields to `action` by script. Without scripts, the user selects the button. */
export function forwardPage({ request: { origin }, t }: PageContext, { action, fields }: PageOf<"forward">): View {
  const { title, heading, text, button } = t.forward
  const form = html`<form action="${action}" method="POST">${hiddenFields(fields)}
<button type="submit" class="submit" id="submitButton">${button}</button></form>`
  const target = new URL(action, origin).origin === origin ? thisSite : sourceOf(action)
  return {
    title,
    root: "forward",
    status: 200,
    content: card(t, undefined, html`<h1>${heading}</h1><p>${text}</p>${form}`),
    images: [],
    rules: "",
    script: submitScript,
    formTargets: target === undefined ? undefined : [target],
  }
}
