import { type Html, html } from "./layout.js"

/** A form that creates a passkey or signs in with one. Its script is {@link passkeyScript}. */
export function passkeyForm(mount: string, content: Html): Html {
  return html`<form id="passkey" data-base-path="${mount}">
${content}
<p class="problem" role="alert"></p>
<noscript><p class="soft">Passkeys need JavaScript.</p></noscript>
</form>`
}

/** The browser loads the package as it is: its modules import nothing else. */
export const passkeyScript = `
import { createAuthClient } from "/client/index.js"
import { signIn } from "/client/webauthn.js"

const form = document.getElementById("passkey")
if (form) {
  const client = createAuthClient({ basePath: form.dataset.basePath })
  const problem = form.querySelector("[role=alert]")
  const email = form.querySelector("input")
  if (email) void signIn(client, "passkey", { useBrowserAutofill: true })
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    problem.textContent = ""
    const options = { action: event.submitter.value, email: email?.value, redirect: false }
    try {
      const { ok, error } = await signIn(client, "passkey", options)
      if (ok) location.reload()
      else problem.textContent = "That didn't work: " + error
    } catch ({ message }) {
      problem.textContent = message
    }
  })
}
`
