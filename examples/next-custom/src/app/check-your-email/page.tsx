import Link from "next/link"
import { hasMailServer } from "@/email"

export default function CheckYourEmail() {
  return (
    <section className="panel">
      <h1>Check your email</h1>
      <p>We sent you a link that signs you in. It works once.</p>
      {!hasMailServer && (
        <p>
          No mail server is configured, so the message is in the <Link href="/outbox">outbox</Link>.
        </p>
      )}
    </section>
  )
}
