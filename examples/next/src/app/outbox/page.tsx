import { connection } from "next/server"
import { notFound } from "next/navigation"
import { hasMailServer } from "@/mail"
import { store } from "@/store"

/** Stands in for a mail server. Everybody may read it, so it must not be where people are. */
export default async function Outbox() {
  await connection()
  if (hasMailServer) notFound()
  const messages = store().messages()
  return (
    <section>
      <h1>Outbox</h1>
      {messages.length === 0 && <p>Nothing has been sent yet.</p>}
      <ul className="list">
        {messages.map(({ to, url, at }) => (
          <li key={url}>
            <span>
              To {to}, <time dateTime={at}>{at.slice(11, 19)}</time>
            </span>
            <a href={url} className="button small">
              Open the link
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
