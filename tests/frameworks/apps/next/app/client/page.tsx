import { SessionProvider } from "@latchkey/next/react"
import { User } from "./user"

export default function Client() {
  return (
    <SessionProvider>
      <User />
    </SessionProvider>
  )
}
