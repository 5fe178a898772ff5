import { getCsrfToken, getProviders, signIn } from "next-auth/react"
import { useRouter } from "next/router"
import { useState } from "react"
import { getServerAuthSession } from "../../lib/auth"
import { basePath } from "../../lib/base-path"

export async function getServerSideProps(context) {
  const session = await getServerAuthSession(context)
  if (session) return { redirect: { destination: context.query.callbackUrl ?? "/dashboard", permanent: false } }
  const [csrfToken, providers] = await Promise.all([getCsrfToken(context), getProviders()])
  return { props: { csrfToken: csrfToken ?? null, providers, basePath: basePath() } }
}

export default function Login({ csrfToken, providers, basePath }) {
  const { query, push } = useRouter()
  const [error, setError] = useState(query.error ?? "")
  const callbackUrl = query.callbackUrl ?? "/dashboard"
  async function submit(event) {
    event.preventDefault()
    const { email, password } = Object.fromEntries(new FormData(event.target))
    const result = await signIn("credentials", { email, password, callbackUrl, redirect: false })
    if (result.ok && !result.error) return push(result.url)
    setError(`${result.status} ${result.error}`)
  }
  return (
    <>
      <p id="error">{error}</p>
      <p id="providers">{Object.keys(providers ?? {}).join()}</p>
      <form id="plain" method="post" action={`${basePath}/callback/credentials`}>
        <input type="hidden" name="csrfToken" defaultValue={csrfToken} />
        <input type="hidden" name="callbackUrl" defaultValue={callbackUrl} />
        <input type="hidden" name="via" defaultValue="form" />
        <input aria-label="Email" name="email" />
        <input aria-label="Password" name="password" />
        <button>Send</button>
      </form>
      <form id="scripted" onSubmit={submit}>
        <input aria-label="Email" name="email" />
        <input aria-label="Password" name="password" />
        <button>Sign in</button>
      </form>
      <button id="acme" onClick={() => signIn("acme", { callbackUrl }, { prompt: "login" })}>
        Acme
      </button>
    </>
  )
}
