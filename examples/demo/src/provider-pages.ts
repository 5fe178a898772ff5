import { type Document, html } from "./layout.js"
import type { Person } from "./people.js"

/** "Who are you?": the sign-in page of the OpenID provider. */
export function choicePage(people: readonly Person[], redirectUris: readonly string[]): Document {
  return {
    title: "Choose a person · Demo OpenID provider",
    formTargets: [...new Set(redirectUris.map((uri) => new URL(uri).origin))],
    body: html`<main class="narrow">
<div class="card">
<h1>Who are you?</h1>
<p class="soft">This is the demo’s OpenID provider, a site of its own. A real one would ask for a password or a passkey.</p>
<form method="post">
${people.map(
  ({ id, name, email }) => html`<button class="person" name="person" value="${id}">
<span class="initial" aria-hidden="true">${name.slice(0, 1)}</span><span>${name}</span><span class="soft">${email}</span></button>`,
)}
<button class="plain" name="person" value="">Do not sign in</button>
</form>
</div>
</main>`,
  }
}

export function troublePage(reason: string): Document {
  return {
    title: "Not possible · Demo OpenID provider",
    status: 400,
    body: html`<main class="narrow">
<div class="card">
<h1>That did not work</h1>
<p class="note" role="alert">${reason}.</p>
<p>Go back to the application and sign in again.</p>
</div>
</main>`,
  }
}
