import { signIn, signOut, useSession } from "@latchkey/next/react"
import Link from "next/link"
import type { auth } from "@/auth"

export function Header() {
  const { data: session, status } = useSession<typeof auth>()
  return (
    <header>
      <Link href="/" className="brand">
        Guestbook
      </Link>
      <nav>
        <Link href="/account">Account</Link>
        <Link href="/members">Members</Link>
      </nav>
      <div className="user-menu" aria-busy={status === "loading"}>
        {session !== null && session !== undefined && (
          <>
            <span id="user">{session.user.name ?? session.user.email}</span>
            {session.isGuest && <span className="badge">guest</span>}
            <button onClick={() => signOut({ redirectTo: "/" })}>Sign out</button>
          </>
        )}
        {status === "unauthenticated" && <button onClick={() => signIn()}>Sign in</button>}
      </div>
    </header>
  )
}
