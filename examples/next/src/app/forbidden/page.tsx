import Link from "next/link"

export default function Forbidden() {
  return (
    <section className="panel">
      <h1>For administrators only</h1>
      <p>You are signed in, but not as one of them.</p>
      <p>
        <Link href="/">Back to the beginning</Link>
      </p>
    </section>
  )
}
