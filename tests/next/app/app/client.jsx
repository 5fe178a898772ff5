"use client"

import { SessionProvider, signOut, useSession } from "@latchkey/next/react"
import { useRouter } from "next/navigation"

export function Client({ session, children }) {
  return (
    <SessionProvider session={session}>
      <Account />
      {children}
    </SessionProvider>
  )
}

function Account() {
  const { data, status, update } = useSession()
  const router = useRouter()
  return (
    <aside>
      <output id="client">{status === "authenticated" ? data.user.name : status}</output>
      <output id="color">{data?.color}</output>
      <button onClick={() => update({ color: "teal" }).then(() => router.refresh())}>Set teal</button>
      <button onClick={() => signOut({ redirect: false })}>Sign out in the browser</button>
    </aside>
  )
}
