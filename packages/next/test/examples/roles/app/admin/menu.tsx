"use client"

import { useSession } from "next-auth/react"

export function Menu() {
  const { data: session } = useSession({
    required: true,
    onUnauthenticated() {
      location.assign("/")
    },
  })
  return session?.user.role === "admin" ? <a href="/admin">Administration</a> : null
}
