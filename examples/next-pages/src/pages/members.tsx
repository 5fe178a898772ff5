import { useSession } from "@latchkey/next/react"
import { useEffect, useState } from "react"

export default function Members() {
  const { status } = useSession({ required: true })
  const [greeting, setGreeting] = useState<string>()
  useEffect(() => {
    if (status !== "authenticated") return
    void greetingOfServer().then(setGreeting)
  }, [status])
  return (
    <>
      <h1>Members</h1>
      <p id="greeting">{greeting ?? "One moment …"}</p>
    </>
  )
}

async function greetingOfServer(): Promise<string> {
  const response = await fetch("/api/greeting")
  return response.ok ? response.text() : "Nobody is greeted without a session."
}
