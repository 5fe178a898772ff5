"use client"

import { useSession } from "@latchkey/next/react"
import Link from "next/link"
import { signOutAction } from "@/app/actions"
import type { auth } from "@/auth"

/** The session has the type that the callbacks in auth.ts return. */
export function UserMenu() {
  const { data: session, status } = useSession<typeof auth>()
  if (status === "loading") return <div className="user-menu" aria-busy="true" />
  if (session === null) {
    return (
      <div className="user-menu">
        <Link href="/sign-in" className="button small">
          Sign in
        </Link>
      </div>
    )
  }
  const { name, email, role } = session.user
  return (
    <div className="user-menu">
      <span id="user">{name ?? email}</span>
      {role === "admin" && <span className="badge">admin</span>}
      <form action={signOutAction}>
        <button className="small quiet">Sign out</button>
      </form>
    </div>
  )
}
