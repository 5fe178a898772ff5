import { type Document, html } from "./layout.js"
import type { DemoUser } from "./users.js"

/** The login page of the OpenID provider. */
export function loginPage(users: readonly DemoUser[], redirectUris: readonly string[]): Document {
  return {
    title: "Choose a user · Demo OpenID provider",
    formTargets: [...new Set(redirectUris.map((uri) => new URL(uri).origin))],
    body: html`<main class="narrow">
<div class="card">
<h1>Choose a user</h1>
<p class="soft">This is the OpenID provider of the demo, on its own origin. A real provider would ask for a password or a passkey.</p>
<form method="post">
${users.map(
  ({ id, name, email }) => html`<button class="user" name="user" value="${id}">
<span class="initial" aria-hidden="true">${name.slice(0, 1)}</span><span>${name}</span><span class="soft">${email}</span></button>`,
)}
<button class="plain" name="user" value="">Cancel</button>
</form>
</div>
</main>`,
  }
}

export function errorPage(reason: string): Document {
  return {
    title: "Error · Demo OpenID provider",
    status: 400,
    body: html`<main class="narrow">
<div class="card">
<h1>Sign-in failed</h1>
<p class="note" role="alert">${reason}.</p>
<p>Go back to the app and sign in again.</p>
</div>
</main>`,
  }
}
