import { signIn } from "@latchkey/next/react"
import { useEffect, useState } from "react"

export default function Login() {
  // Before React has taken the page over, a click would do nothing.
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const enter = () => {
    const redirectTo = new URLSearchParams(location.search).get("callbackUrl") ?? undefined
    return signIn("credentials", { name: "ada", redirectTo })
  }
  return (
    <button disabled={!ready} onClick={enter}>
      Let me in
    </button>
  )
}
