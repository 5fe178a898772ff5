import type { Metadata } from "next"
import { leave, rename } from "@/app/actions"
import { requireSession } from "@/auth"
import { Form } from "@/components/form"
import { store } from "@/store"

export const metadata: Metadata = { title: "Account · Harbour" }

export default async function Account() {
  const { user, expires } = await requireSession({ redirectTo: "/account" })
  const services = await store().servicesOf(user.id)
  return (
    <section>
      <h1>Your account</h1>
      <dl>
        <dt>Name</dt>
        <dd id="name">{user.name ?? "–"}</dd>
        <dt>E-mail</dt>
        <dd>{user.email}</dd>
        <dt>Role</dt>
        <dd id="role">{user.role}</dd>
        <dt>Signed in with</dt>
        <dd>{services.length === 0 ? "this application alone" : services.join(", ")}</dd>
        <dt>Session until</dt>
        <dd>
          <time dateTime={expires}>{new Date(expires).toUTCString()}</time>
        </dd>
      </dl>
      <h2>Another name</h2>
      <Form action={rename} submit="Rename">
        <label>
          Name
          <input name="name" defaultValue={user.name ?? ""} maxLength={60} required />
        </label>
      </Form>
      <h2>Leave</h2>
      <form action={leave}>
        <button className="quiet">Sign out</button>
      </form>
    </section>
  )
}
