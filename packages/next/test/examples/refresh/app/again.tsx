"use client"

import { signIn, useSession } from "next-auth/react"
import { useEffect } from "react"

export function Again() {
  const { data: session } = useSession()
  useEffect(() => {
    if (session?.error === "RefreshFailed") signIn("acme")
  }, [session?.error])
  return null
}
