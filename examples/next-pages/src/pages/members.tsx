import { useSession } from "@latchkey/next/react"
import { useEffect, useState } from "react"

export default function Members() {
  const { status } = useSession({ required: true })
  const [greeting, setGreeting] = useState<string>()
  useEffect(() => {
    if (status !== "authenticated") return
    void fetchGreeting().then(setGreeting)
  }, [status])
  return (
    <>
      <h1>Members</h1>
      <p id="greeting">{greeting ?? "Loading…"}</p>
    </>
  )
}

async function fetchGreeting(): Promise<string> {
  const response = await fetch("/api/greeting")
  return response.ok ? response.text() : "The server didn't send a greeting."
}
