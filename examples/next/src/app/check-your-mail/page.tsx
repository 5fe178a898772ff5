import Link from "next/link"
import { hasMailServer } from "@/mail"

export default function CheckYourMail() {
  return (
    <section className="panel">
      <h1>Look into your mail</h1>
      <p>There is a link that signs you in. It can be used once.</p>
      {!hasMailServer && (
        <p>
          This example has no mail server: the message is in the <Link href="/outbox">outbox</Link>.
        </p>
      )}
    </section>
  )
}
