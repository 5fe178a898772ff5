import type { Provider } from "@latchkey/core/providers"
import { escape, page } from "./pages.ts"

interface Login {
  /** Of `auth.csrfToken`. */
  readonly csrfToken: string
  readonly providers: readonly Provider[]
  readonly callbackUrl?: string | undefined
  readonly error?: string | undefined
}

/** Posts to the auth routes. Without JavaScript, everything but passkeys works. `public/login.js` shows errors beside the fields. */
export function loginPage({ csrfToken, providers, callbackUrl = "/account", error }: Login): string {
  const form = (action: string, content: string, attributes = "") => `
    <form method="post" action="/auth/${action}" ${attributes}>
      <input type="hidden" name="csrfToken" value="${escape(csrfToken)}">
      <input type="hidden" name="callbackUrl" value="${escape(callbackUrl)}">
      ${content}
      <output class="error" role="alert"></output>
    </form>`
  const email = `<label>Email <input name="email" type="email" autocomplete="username webauthn" required></label>`
  const password = `<label>Password <input name="password" type="password" autocomplete="current-password" required></label>`
  const code = `<label>Code in the email <input name="code" autocomplete="one-time-code" required></label>`
  const others = providers.map((given) => (typeof given === "function" ? given() : given))
  return page(
    null,
    `<h2>Sign in</h2>
    <p class="error">${error === undefined ? "" : "The sign-in failed. Try again."}</p>
    ${form("callback/credentials", `${email} ${password} <button>Sign in</button>`)}
    ${form("signin/email", `${email} <button>Email me a link</button>`)}
    ${form("callback/email", `${code} <button>Use the code</button>`, 'id="code" hidden')}
    ${others.some(({ type }) => type === "webauthn") ? form("callback/passkey", "<button>Use a passkey</button>", 'id="passkey" hidden') : ""}
    ${others
      .filter(({ type }) => type === "oauth" || type === "oidc")
      .map(({ id, name }) => form(`signin/${id}`, `<button>Continue with ${escape(name)}</button>`))
      .join("")}
    <script type="module" src="/login.js"></script>`,
  )
}
