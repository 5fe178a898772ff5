import { signOut, useSession } from "@latchkey/tanstack-start/react"
import { createFileRoute } from "@tanstack/react-router"
import { useEffect, useState } from "react"

export const Route = createFileRoute("/client")({ component: Client })

function Client() {
  const { data: session, status, update } = useSession()
  // The page comes from the server, so its buttons only work once the script runs.
  const [isRunning, setIsRunning] = useState(false)
  useEffect(() => setIsRunning(true), [])
  if (status === "loading") return <p id="client-user">Loading…</p>
  return (
    <>
      <h1>In the browser</h1>
      <p id="client-user">{session?.user?.email ?? "Not signed in"}</p>
      {session !== null && (
        <p>
          <button
            id="client-rename"
            type="button"
            disabled={!isRunning}
            onClick={() => void update({ user: { name: "Client" } })}
          >
            Call me Client
          </button>{" "}
          <button
            id="client-sign-out"
            type="button"
            className="quiet"
            disabled={!isRunning}
            onClick={() => void signOut({ redirectTo: "/" })}
          >
            Sign out
          </button>
        </p>
      )}
    </>
  )
}
