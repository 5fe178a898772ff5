import type { Metadata } from "next"
import Link from "next/link"
import type { ReactNode } from "react"
import { auth, signOut } from "@/auth"
import { hasMailbox } from "@/email"
import "./style.css"

export const metadata: Metadata = { title: "Harbor", description: "Berths for every boat" }

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <Link href="/" className="brand">
            Harbor
          </Link>
          <nav>
            <Link href="/dashboard" prefetch={false}>
              Your berths
            </Link>
            {hasMailbox && (
              <Link href="/mailbox" prefetch={false}>
                Mailbox
              </Link>
            )}
          </nav>
          <UserMenu />
        </header>
        <main>{children}</main>
        <footer>
          An example of <code>@latchkey/next</code>
        </footer>
      </body>
    </html>
  )
}

/** The links are plain, because their pages are those of the auth routes. */
async function UserMenu() {
  const session = await auth()
  if (session === null)
    return (
      <div className="user-menu">
        <a href="/api/auth/signin?callbackUrl=/dashboard" className="button small">
          Sign in
        </a>
      </div>
    )
  return (
    <div className="user-menu">
      <a id="user" href="/api/auth/account">
        {session.user.name ?? session.user.email}
      </a>
      <form action={signOutAction}>
        <button className="small quiet">Sign out</button>
      </form>
    </div>
  )
}

async function signOutAction() {
  "use server"
  await signOut({ redirectTo: "/" })
}
