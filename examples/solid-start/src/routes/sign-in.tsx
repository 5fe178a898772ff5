import { useSearchParams } from "@solidjs/router"
import { Show } from "solid-js"
import { passwordAction } from "~/session"

const messages: Readonly<Record<string, string>> = {
  CredentialsSignin: "Incorrect email or password.",
  OAuthAccountNotLinked: "This email belongs to an account with another sign-in method.",
}

export default function SignIn() {
  const [params] = useSearchParams<{ callbackUrl?: string; error?: string }>()
  return (
    <section class="panel">
      <h1>Sign in</h1>
      <Show when={params.error}>
        {(error) => <p id="error">{messages[error()] ?? "Something went wrong. Please try again."}</p>}
      </Show>
      <form id="password" method="post" action={passwordAction}>
        {/* The server checks this URL and ignores other sites. */}
        <input type="hidden" name="callbackUrl" value={params.callbackUrl ?? "/account"} />
        <label>
          Email
          <input name="email" type="email" autocomplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <button>Sign in</button>
      </form>
    </section>
  )
}
