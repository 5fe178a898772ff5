"use client"

import { signIn, signOut, useSession } from "next-auth/react"

export default function Client() {
  const { data: session, status } = useSession()
  if (status === "loading") return <p>Loading…</p>
  if (!session) {
    return (
      <button
        onClick={() => signIn("credentials", { username: "grace", password: "open sesame", redirectTo: "/client" })}
      >
        Sign in
      </button>
    )
  }
  return (
    <>
      <p id="user">{JSON.stringify(session.user)}</p>
      <button onClick={() => signOut({ redirectTo: "/client" })}>Sign out</button>
    </>
  )
}
