"use client"

import { useSession } from "@latchkey/next/react"
import Link from "next/link"
import { leave } from "@/app/actions"
import type { auth } from "@/auth"

/** Who is here. The session has the type that the server's callbacks give it. */
export function Visitor() {
  const { data: session, status } = useSession<typeof auth>()
  if (status === "loading") return <div className="visitor" aria-busy="true" />
  if (session === null) {
    return (
      <div className="visitor">
        <Link href="/sign-in" className="button small">
          Sign in
        </Link>
      </div>
    )
  }
  const { name, email, role } = session.user
  return (
    <div className="visitor">
      <span id="visitor">{name ?? email}</span>
      {role === "admin" && <span className="badge">admin</span>}
      <form action={leave}>
        <button className="small quiet">Sign out</button>
      </form>
    </div>
  )
}
