import { $, component$, useSignal } from "@builder.io/qwik"
import { Form, routeLoader$, useLocation } from "@builder.io/qwik-city"
import { useSignIn } from "../plugin@auth"

const messages: Readonly<Record<string, string>> = {
  AccessDenied: "You don't have permission to sign in.",
  CredentialsSignin: "Incorrect email or password.",
  OAuthAccountNotLinked: "This email belongs to an account with another sign-in method.",
  Verification: "This link has expired or was already used. Request a new one.",
}

export const useHasOpenId = routeLoader$(({ env }) => Boolean(env.get("AUTH_OPENID_ID")))

export default component$(() => {
  const { url } = useLocation()
  const signIn = useSignIn()
  const hasOpenId = useHasOpenId()
  const problem = useSignal("")
  const error = url.searchParams.get("error")
  const callbackUrl = url.searchParams.get("callbackUrl") ?? "/account/"
  // The server checks this URL and ignores other sites.
  const redirectTo = <input type="hidden" name="redirectTo" value={callbackUrl} />
  const withPasskey = $(async () => {
    const { signIn: signInWithPasskey } = await import("@latchkey/qwik/webauthn")
    try {
      await signInWithPasskey("passkey", { action: "authenticate", redirectTo: callbackUrl })
    } catch {
      problem.value = "The browser found no passkey."
    }
  })
  return (
    <section class="panel">
      <h1>Sign in</h1>
      {error !== null && <p class="error">{messages[error] ?? "Something went wrong. Please try again."}</p>}
      {problem.value !== "" && <p class="error">{problem.value}</p>}
      <Form action={signIn}>
        <input type="hidden" name="providerId" value="credentials" />
        {redirectTo}
        <label>
          Email
          <input name="options.email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="options.password" type="password" autoComplete="current-password" required />
        </label>
        <button>Sign in</button>
      </Form>
      <hr data-word="or" />
      <Form action={signIn}>
        <input type="hidden" name="providerId" value="email" />
        {redirectTo}
        <label>
          Email
          <input name="options.email" type="email" autoComplete="email" required />
        </label>
        <button>Email me a link</button>
      </Form>
      <hr data-word="or" />
      <Form action={signIn}>
        <input type="hidden" name="providerId" value="openid" />
        {redirectTo}
        <button class="wide quiet" disabled={!hasOpenId.value}>
          Continue with OpenID
        </button>
      </Form>
      <button class="wide quiet" onClick$={withPasskey}>
        Sign in with a passkey
      </button>
      <p class="hint">
        Demo accounts: <code>ada@harbor.example</code> with <code>bernoulli</code>, and{" "}
        <code>grace@harbor.example</code> with <code>nanosecond</code>.
      </p>
    </section>
  )
})
