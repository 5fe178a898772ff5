import type { Metadata } from "next"
import { rename, signOutAction } from "@/app/actions"
import { requireSession } from "@/auth"
import { Form } from "@/components/form"
import { AddPasskey } from "@/components/passkeys"
import { store } from "@/store"

export const metadata: Metadata = { title: "Account · Harbor" }

export default async function Account() {
  const { user, expires } = await requireSession({ redirectTo: "/account" })
  const providers = await store().providersOf(user.id)
  const passkeys = await store().passkeysOf(user.id)
  return (
    <section>
      <h1>Your account</h1>
      <dl>
        <dt>Name</dt>
        <dd id="name">{user.name ?? "–"}</dd>
        <dt>Email</dt>
        <dd>{user.email}</dd>
        <dt>Role</dt>
        <dd id="role">{user.role}</dd>
        <dt>Linked accounts</dt>
        <dd>{providers.length === 0 ? "none" : providers.join(", ")}</dd>
        <dt>Passkeys</dt>
        <dd id="passkeys">{passkeys}</dd>
        <dt>Session expires</dt>
        <dd>
          <time dateTime={expires}>{new Date(expires).toUTCString()}</time>
        </dd>
      </dl>
      <h2>Change your name</h2>
      <Form action={rename} submit="Save">
        <label>
          Name
          <input name="name" defaultValue={user.name ?? ""} maxLength={60} required />
        </label>
      </Form>
      <h2>Passkeys</h2>
      <AddPasskey />
      <h2>Sign out</h2>
      <form action={signOutAction}>
        <button className="quiet">Sign out</button>
      </form>
    </section>
  )
}
