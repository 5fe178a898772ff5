import { signIn } from "@latchkey/next/react"

export default function Login() {
  const enter = () => {
    const redirectTo = new URLSearchParams(location.search).get("callbackUrl") ?? undefined
    return signIn("credentials", { name: "ada", redirectTo })
  }
  return <button onClick={enter}>Let me in</button>
}
