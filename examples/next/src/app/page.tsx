import Link from "next/link"
import { auth } from "@/auth"

export default async function Home() {
  const session = await auth()
  return (
    <>
      <section className="hero">
        <h1>{session === null ? "Come in" : `Good to see you, ${session.user.name ?? session.user.email}`}</h1>
        <p>
          A small application: people sign in with a password, a link by e-mail or another service, and find their
          account in a SQLite file.
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
          <p>For everybody who is signed in. Guarded twice: by the proxy, and by the page itself.</p>
        </li>
        <li>
          <h2>
            <Link href="/admin" prefetch={false}>
              Administration
            </Link>
          </h2>
          <p>For the role “admin”, which is in the session and has its type from the callbacks.</p>
        </li>
        <li>
          <h2>
            <a href="/api/auth/signout">The built-in pages</a>
          </h2>
          <p>Signing out has a page already; a sign-in page of your own takes the place of the built-in one.</p>
        </li>
      </ul>
    </>
  )
}
