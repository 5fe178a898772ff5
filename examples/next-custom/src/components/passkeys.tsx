"use client"

import { signIn } from "@latchkey/next/webauthn"
import { useRouter } from "next/navigation"
import { useEffect, useState } from "react"

/** Also offers passkeys in the autofill of the email field. */
export function PasskeySignIn({ redirectTo }: { readonly redirectTo: string }) {
  const [error, setError] = useState<string>()
  useEffect(() => {
    const page = new AbortController()
    void signIn("passkey", { useBrowserAutofill: true, redirectTo, signal: page.signal })
    return () => page.abort()
  }, [redirectTo])
  async function signInWithPasskey() {
    setError(undefined)
    // It throws if the user cancels, or if the device has no passkey for this site.
    await signIn("passkey", { redirectTo }).catch(() => setError("No passkey was used."))
  }
  return (
    <div className="fields">
      <button className="wide quiet" onClick={signInWithPasskey}>
        Sign in with a passkey
      </button>
      <p role="status" className="error">
        {error}
      </p>
    </div>
  )
}

export function AddPasskey() {
  const router = useRouter()
  const [message, setMessage] = useState<string>()
  async function addPasskey() {
    try {
      const { ok } = await signIn("passkey", { action: "register", redirect: false })
      setMessage(ok ? "Your passkey was added." : "Something went wrong. Please try again.")
      router.refresh()
    } catch {
      setMessage("No passkey was added.")
    }
  }
  return (
    <div className="fields">
      <button className="quiet" onClick={addPasskey}>
        Add a passkey
      </button>
      <p role="status">{message}</p>
    </div>
  )
}
