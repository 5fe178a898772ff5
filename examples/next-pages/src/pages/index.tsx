import { useSession } from "@latchkey/next/react"

export default function Home() {
  const { status } = useSession()
  return (
    <>
      <h1>Welcome</h1>
      <p>
        A Pages Router example. On this page, the browser reads the session. <code>/account</code> reads it on the
        server, and the proxy protects <code>/members</code>.
      </p>
      <p id="status">{status === "authenticated" ? "You are signed in." : "You are not signed in."}</p>
    </>
  )
}
