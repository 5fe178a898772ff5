import Link from "next/link"

export default function Forbidden() {
  return (
    <section className="panel">
      <h1>Administrators only</h1>
      <p>Your account doesn&apos;t have access to this page.</p>
      <p>
        <Link href="/">Back to the home page</Link>
      </p>
    </section>
  )
}
