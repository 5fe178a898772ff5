import { signIn } from "@latchkey/next/react"

export default function Login() {
  return <button onClick={() => signIn("credentials", { name: "ada" })}>Let me in</button>
}
