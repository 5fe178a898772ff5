import Link from "next/link"
import { auth } from "@/auth"

export default async function Home() {
  const session = await auth()
  return (
    <>
      <section className="hero">
        <h1>{session === null ? "Welcome" : `Welcome, ${session.user.name ?? session.user.email}`}</h1>
        <p>
          In this example, you sign in with a password, an email link or another provider. Your account is in a SQLite
          file.
        </p>
        <p>
          {session === null ? (
            <Link href="/sign-in" className="button">
              Sign in
            </Link>
          ) : (
            <Link href="/account" className="button">
              Your account
            </Link>
          )}
        </p>
      </section>
      <ul className="cards">
        <li>
          <h2>
            <Link href="/account">Account</Link>
          </h2>
          <p>For signed-in users. Both the proxy and the page check the session.</p>
        </li>
        <li>
          <h2>
            <Link href="/admin" prefetch={false}>
              Administration
            </Link>
          </h2>
          <p>For users with the role “admin”. The callbacks put the role in the session and give it its type.</p>
        </li>
        <li>
          <h2>
            <a href="/api/auth/signout">Built-in pages</a>
          </h2>
          <p>The sign-out page is built in. The sign-in page is custom and replaces the built-in one.</p>
        </li>
      </ul>
    </>
  )
}
