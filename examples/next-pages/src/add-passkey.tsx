import { signIn } from "@latchkey/next/webauthn"
import { useState } from "react"

export function AddPasskey() {
  const [message, setMessage] = useState<string>()
  async function addPasskey() {
    try {
      const { ok } = await signIn("passkey", { action: "register", redirect: false })
      setMessage(ok ? "Your passkey was added." : "Something went wrong. Please try again.")
    } catch {
      // The user canceled, or the device has a passkey already.
      setMessage("No passkey was added.")
    }
  }
  return (
    <>
      <h2>Passkeys</h2>
      <button onClick={addPasskey}>Add a passkey</button>
      <p role="status">{message}</p>
    </>
  )
}
