import { $, component$, useSignal } from "@builder.io/qwik"
import { type RequestHandler, routeLoader$ } from "@builder.io/qwik-city"
import type { Session } from "@latchkey/qwik"
import { useSession } from "../plugin@auth"

export const onRequest: RequestHandler = ({ sharedMap, redirect, url }) => {
  if (sharedMap.get("session") === null)
    throw redirect(302, `/sign-in/?callbackUrl=${encodeURIComponent(url.pathname)}`)
}

export const useAccounts = routeLoader$(async ({ sharedMap }) => {
  const { store } = await import("../../store")
  const session: Session | null = sharedMap.get("session")
  return session === null ? [] : store.accountsOf(session.user.id)
})

export default component$(() => {
  const session = useSession()
  const accounts = useAccounts()
  const problem = useSignal("")
  const rename = $(async (_event: SubmitEvent, form: HTMLFormElement) => {
    const user = { name: new FormData(form).get("name") }
    const body = JSON.stringify({ data: { user } })
    await fetch("/auth/session", { method: "POST", headers: { "content-type": "application/json" }, body })
    location.reload()
  })
  const addPasskey = $(async () => {
    const { signIn } = await import("@latchkey/qwik/webauthn")
    try {
      await signIn("passkey", { action: "register" })
    } catch {
      problem.value = "The browser didn't create a passkey."
    }
  })
  return (
    <section>
      <h1>Your account</h1>
      <dl>
        <dt>Name</dt>
        <dd id="name">{session.value?.user.name ?? "–"}</dd>
        <dt>Email</dt>
        <dd id="email">{session.value?.user.email ?? "–"}</dd>
        <dt>Linked accounts</dt>
        <dd id="accounts">{accounts.value.length === 0 ? "none" : accounts.value.join(", ")}</dd>
      </dl>
      <h2>Change your name</h2>
      <form preventdefault:submit onSubmit$={rename}>
        <label>
          Name
          <input name="name" value={session.value?.user.name ?? ""} maxLength={60} required />
        </label>
        <button>Save</button>
      </form>
      <h2>Passkeys</h2>
      {problem.value !== "" && <p class="error">{problem.value}</p>}
      <button class="quiet" onClick$={addPasskey}>
        Add a passkey
      </button>
    </section>
  )
})
