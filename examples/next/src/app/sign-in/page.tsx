import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { signInWith, signInWithMail, signInWithPassword } from "@/app/actions"
import { auth } from "@/auth"
import { Form } from "@/components/form"

export const metadata: Metadata = { title: "Sign in · Harbour" }

const problems: Readonly<Record<string, string>> = {
  OAuthAccountNotLinked: "This address belongs to an account that signs in another way.",
  AccessDenied: "You are not allowed to sign in.",
  Verification: "This link was used already, or is too old: ask for a new one.",
}

const services = [
  { id: "github", name: "GitHub", isThere: Boolean(process.env.AUTH_GITHUB_ID) },
  { id: "openid", name: "OpenID", isThere: Boolean(process.env.AUTH_OPENID_ID) },
]

interface Props {
  readonly searchParams: Promise<{ callbackUrl?: string | string[]; error?: string | string[] }>
}

export default async function SignIn({ searchParams }: Props) {
  const { callbackUrl, error } = await searchParams
  if ((await auth()) !== null && error === undefined) redirect("/account")
  // Where one may go afterwards is decided by the engine: another site is not among it.
  const target = <input type="hidden" name="redirectTo" value={[callbackUrl].flat()[0] ?? "/account"} />
  return (
    <section className="panel">
      <h1>Sign in</h1>
      {error !== undefined && (
        <p className="problem">{problems[String(error)] ?? "That did not work. Please try again."}</p>
      )}
      <Form action={signInWithPassword} submit="Sign in">
        {target}
        <label>
          E-mail
          <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
      </Form>
      <hr data-word="or" />
      <Form action={signInWithMail} submit="Send me a link">
        {target}
        <label>
          E-mail
          <input name="email" type="email" autoComplete="email" required />
        </label>
      </Form>
      <hr data-word="or" />
      {services.map(({ id, name, isThere }) => (
        <form key={id} action={signInWith.bind(null, id)}>
          {target}
          <button
            className="wide quiet"
            disabled={!isThere}
            title={isThere ? undefined : "Needs a client: see .env.example"}
          >
            Continue with {name}
          </button>
        </form>
      ))}
      <p className="hint">
        Try <code>ada@harbour.example</code> with <code>bernoulli</code>, who is an administrator, or{" "}
        <code>grace@harbour.example</code> with <code>nanosecond</code>.
      </p>
    </section>
  )
}
