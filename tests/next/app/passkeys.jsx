"use client"

import { signOut, useSession } from "@latchkey/next/react"
import { signIn } from "@latchkey/next/webauthn"
import { useState } from "react"

/** For both routers. */
export function Passkeys() {
  const { data: session, status, update } = useSession()
  const [result, setResult] = useState("")
  const [email, setEmail] = useState("")
  const run = async (options) => {
    setResult("")
    try {
      setResult(JSON.stringify((await signIn("passkey", options)) ?? null))
    } catch (error) {
      setResult(error.name)
    }
  }
  return (
    <section>
      <output id="status">{status === "authenticated" ? session.user.email : status}</output>
      <output id="result">{result}</output>
      <input aria-label="Email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <button onClick={() => run({ action: "register", email, redirect: false })}>Sign up with a passkey</button>
      <button onClick={() => run({ action: "register", redirectTo: "/private?added" })}>Add a passkey</button>
      <button onClick={() => run({ action: "register", redirect: false }).then(() => update({ color: "added" }))}>
        Add a passkey here
      </button>
      <button onClick={() => run({ redirectTo: "/private?x=1" })}>Sign in with a passkey</button>
      <button onClick={() => run({ redirect: false })}>Sign in with a passkey here</button>
      <button onClick={() => signOut({ redirect: false })}>Sign out here</button>
    </section>
  )
}
