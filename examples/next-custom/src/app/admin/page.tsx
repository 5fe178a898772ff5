import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { requireSession } from "@/auth"
import { store } from "@/store"

export const metadata: Metadata = { title: "Administration · Harbor" }

export default async function Administration() {
  // The proxy checks the role too. A page that shows other users' data must not rely on that.
  const { user } = await requireSession()
  if (user.role !== "admin") notFound()
  const users = store().users()
  return (
    <section>
      <h1>Administration</h1>
      <p>{users.length} users have an account.</p>
      <ul className="list">
        {users.map(({ name, email }) => (
          <li key={email}>
            <span>{name}</span>
            <span className="hint">{email}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
