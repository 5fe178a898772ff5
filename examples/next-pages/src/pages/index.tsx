import { useSession } from "@latchkey/next/react"

export default function Home() {
  const { status } = useSession()
  return (
    <>
      <h1>Welcome</h1>
      <p>
        A small application of the Pages Router. The session is asked for by the browser here; <code>/account</code> has
        it from the server, <code>/members</code> is guarded by the proxy.
      </p>
      <p id="status">{status === "authenticated" ? "You are signed in." : "You are not signed in."}</p>
    </>
  )
}
