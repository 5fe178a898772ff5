"use client"

import { signOut, useSession } from "@latchkey/next/react"

export function User() {
  const { data: session, update } = useSession()
  return (
    <>
      <p id="client-user">{session?.user?.email ?? "Not signed in"}</p>
      <button id="client-sign-out" onClick={() => signOut({ redirect: false })}>
        Sign out
      </button>
      <button id="client-rename" onClick={() => update({ user: { name: "Client" } })}>
        Rename
      </button>
    </>
  )
}
