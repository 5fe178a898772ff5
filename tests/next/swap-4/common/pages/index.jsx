import { signIn, signOut, useSession } from "next-auth/react"
import { useState } from "react"

export default function Client() {
  const { data: session, status } = useSession()
  const [username, setUsername] = useState("")
  if (status === "loading") return <p>Loading…</p>
  if (!session) {
    return (
      <>
        <input aria-label="Username" value={username} onChange={(event) => setUsername(event.target.value)} />
        <button onClick={() => signIn("credentials", { username, password: "open sesame", callbackUrl: "/" })}>
          Sign in
        </button>
      </>
    )
  }
  return (
    <>
      <p id="user">{JSON.stringify(session.user)}</p>
      <button onClick={() => signOut({ callbackUrl: "/" })}>Sign out</button>
    </>
  )
}
