import { connection } from "next/server"
import { notFound } from "next/navigation"
import { mails } from "@/database"
import { hasMailbox } from "@/email"

/** Replaces a mail service. */
export default async function Mailbox() {
  await connection()
  if (!hasMailbox) notFound()
  const received = mails()
  return (
    <section>
      <h1>Mailbox</h1>
      {received.length === 0 && <p>No emails yet.</p>}
      <ul className="list">
        {received.map(({ to, subject, text }, index) => (
          <li key={received.length - index}>
            <details>
              <summary>
                {subject} <span className="hint">to {to}</span>
              </summary>
              <p style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{text}</p>
            </details>
            <FirstLink text={text} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FirstLink({ text }: { readonly text: string }) {
  const [url] = /https?:\/\/\S+/.exec(text) ?? []
  return (
    url !== undefined && (
      <a href={url} className="button small">
        Open link
      </a>
    )
  )
}
