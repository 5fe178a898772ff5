import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { requireSession } from "@/auth"
import { store } from "@/store"

export const metadata: Metadata = { title: "Administration · Harbour" }

export default async function Administration() {
  // The proxy has looked already; a page that shows other people's data looks again.
  const { user } = await requireSession()
  if (user.role !== "admin") notFound()
  const people = store().people()
  return (
    <section>
      <h1>Administration</h1>
      <p>{people.length} people have an account here.</p>
      <ul className="list">
        {people.map(({ name, email }) => (
          <li key={email}>
            <span>{name}</span>
            <span className="hint">{email}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
