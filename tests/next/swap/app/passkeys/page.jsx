"use client"

import { signOut, useSession } from "next-auth/react"
import { signIn } from "next-auth/webauthn"
import { useState } from "react"
import { chooseMethod } from "./actions"

export default function Passkeys() {
  const { data: session, status } = useSession()
  const [email, setEmail] = useState("")
  const [result, setResult] = useState("")
  const show = (signingIn) =>
    signingIn.then(
      ({ error, ok }) => setResult(JSON.stringify({ error, ok })),
      ({ name }) => setResult(name),
    )
  return (
    <>
      <p id="status">{status}</p>
      <p id="user">{JSON.stringify(session?.user)}</p>
      <p id="result">{result}</p>
      <input aria-label="Email" value={email} onChange={(event) => setEmail(event.target.value)} />
      <button onClick={() => signIn("passkey", { action: "register", email, redirectTo: "/passkeys?created" })}>
        Create a passkey
      </button>
      <button onClick={() => signIn("passkey", { action: "register", redirectTo: "/passkeys?added" })}>
        Add a passkey
      </button>
      <button onClick={() => signIn("passkey", { redirectTo: "/private" })}>Sign in with a passkey</button>
      <button onClick={() => show(signIn("passkey", { redirect: false }))}>Sign in with a passkey here</button>
      <button onClick={() => signOut({ redirectTo: "/passkeys?left" })}>Sign out</button>
      <form action={chooseMethod}>
        <button>Sign in on the server</button>
      </form>
    </>
  )
}
