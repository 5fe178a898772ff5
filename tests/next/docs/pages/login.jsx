import { signIn } from "@latchkey/next/react"
import { useEffect, useState } from "react"

export default function Login() {
  // Before hydration, a click does nothing.
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const signInAsAda = () => {
    const redirectTo = new URLSearchParams(location.search).get("callbackUrl") ?? undefined
    return signIn("credentials", { name: "ada", redirectTo })
  }
  return (
    <button disabled={!ready} onClick={signInAsAda}>
      Sign in
    </button>
  )
}
