"use client"

import { useSearchParams } from "next/navigation"
import { useActionState } from "react"
import { authenticate } from "./actions"

export default function LoginForm() {
  const callbackUrl = useSearchParams().get("callbackUrl") || "/dashboard"
  const [message, action, isPending] = useActionState(authenticate, undefined)
  return (
    <form action={action}>
      <input name="email" type="email" required />
      <input name="password" type="password" required minLength={6} />
      <input type="hidden" name="redirectTo" value={callbackUrl} />
      <button aria-disabled={isPending}>Log in</button>
      {message && <p>{message}</p>}
    </form>
  )
}
