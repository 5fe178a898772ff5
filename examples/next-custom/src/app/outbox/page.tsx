import { connection } from "next/server"
import { notFound } from "next/navigation"
import { hasMailServer } from "@/email"
import { store } from "@/store"

/** Replaces a mail server. Anyone can read it, so never deploy it. */
export default async function Outbox() {
  await connection()
  if (hasMailServer) notFound()
  const messages = store().messages()
  return (
    <section>
      <h1>Outbox</h1>
      {messages.length === 0 && <p>No messages yet.</p>}
      <ul className="list">
        {messages.map(({ to, url, sentAt }) => (
          <li key={url}>
            <span>
              To {to}, <time dateTime={sentAt}>{sentAt.slice(11, 19)}</time>
            </span>
            <a href={url} className="button small">
              Open link
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
