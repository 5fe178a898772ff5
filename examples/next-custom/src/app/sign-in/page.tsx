import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { signInWith, signInWithEmail, signInWithPassword } from "@/app/actions"
import { auth } from "@/auth"
import { Form } from "@/components/form"
import { PasskeySignIn } from "@/components/passkeys"

export const metadata: Metadata = { title: "Sign in · Harbor" }

const messages: Readonly<Record<string, string>> = {
  OAuthAccountNotLinked: "This email belongs to an account with another sign-in method.",
  AccessDenied: "You don't have permission to sign in.",
  WebAuthnVerificationError: "The passkey couldn't be verified.",
  Verification: "This link has expired or was already used. Request a new one.",
}

const providers = [
  { id: "github", name: "GitHub", isConfigured: Boolean(process.env.AUTH_GITHUB_ID) },
  { id: "openid", name: "OpenID", isConfigured: Boolean(process.env.AUTH_OPENID_ID) },
]

interface Props {
  readonly searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }>
}

export default async function SignIn({ searchParams }: Props) {
  const { callbackUrl, error } = await searchParams
  if ((await auth()) !== null && error === undefined) redirect("/account")
  // The server checks this URL and ignores other sites.
  const target = [callbackUrl].flat()[0] ?? "/account"
  const redirectTo = <input type="hidden" name="redirectTo" value={target} />
  return (
    <section className="panel">
      <h1>Sign in</h1>
      {error !== undefined && (
        <p className="error">{messages[String(error)] ?? "Something went wrong. Please try again."}</p>
      )}
      <Form action={signInWithPassword} submit="Sign in">
        {redirectTo}
        <label>
          Email
          <input name="email" type="email" autoComplete="username webauthn" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
      </Form>
      <hr data-word="or" />
      <Form action={signInWithEmail} submit="Email me a link">
        {redirectTo}
        <label>
          Email
          <input name="email" type="email" autoComplete="email" required />
        </label>
      </Form>
      <hr data-word="or" />
      <PasskeySignIn redirectTo={target} />
      {providers.map(({ id, name, isConfigured }) => (
        <form key={id} action={signInWith.bind(null, id)}>
          {redirectTo}
          <button
            className="wide quiet"
            disabled={!isConfigured}
            title={isConfigured ? undefined : "Not configured. See .env.example."}
          >
            Continue with {name}
          </button>
        </form>
      ))}
      <p className="hint">
        Demo accounts: <code>ada@harbor.example</code> with <code>bernoulli</code> (administrator), and{" "}
        <code>grace@harbor.example</code> with <code>nanosecond</code>.
      </p>
    </section>
  )
}
