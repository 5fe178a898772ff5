"use client"

import { signIn, signOut, useSession } from "next-auth/react"
import { useState } from "react"
import { SessionData } from "./session-data"

function Rename() {
  const { data: session, update } = useSession()
  const [name, setName] = useState(`New ${session?.user?.name}`)
  if (!session?.user) return null
  return (
    <form
      onSubmit={async () => {
        const renewed = await update({ ...session, user: { ...session.user, name } })
        console.log(renewed?.user?.name)
      }}
    >
      <input value={name} onChange={(event) => setName(event.target.value)} />
    </form>
  )
}

export default function Client() {
  const { data: session, status } = useSession()
  if (status === "loading") return <p>One moment</p>
  return (
    <>
      {session?.accessToken && <p>The backend may be called</p>}
      <SessionData session={session} />
      <Rename />
      <button onClick={() => signIn("keycloak", { redirectTo: "/client" }, { prompt: "login" })}>Sign in</button>
      <button onClick={() => signOut()}>Sign out</button>
    </>
  )
}
