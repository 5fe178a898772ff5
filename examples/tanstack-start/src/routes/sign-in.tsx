import { createFileRoute } from "@tanstack/react-router"
import { signInWithPassword } from "../auth.functions"

export const Route = createFileRoute("/sign-in")({
  validateSearch: ({ callbackUrl, error }: Record<string, unknown>): { callbackUrl?: string; error?: string } => ({
    ...(typeof callbackUrl === "string" ? { callbackUrl } : {}),
    ...(typeof error === "string" ? { error } : {}),
  }),
  component: SignIn,
})

function SignIn() {
  const { callbackUrl = "/account", error } = Route.useSearch()
  return (
    <div className="panel">
      <h1>Sign in</h1>
      {error !== undefined && (
        <p id="error" className="error">
          {error === "CredentialsSignin" ? "Incorrect email or password." : "You couldn’t be signed in. Try again."}
        </p>
      )}
      <form id="password" method="post" action={signInWithPassword.url} className="fields">
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
        <label>
          Email
          <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button>Sign in</button>
      </form>
    </div>
  )
}
