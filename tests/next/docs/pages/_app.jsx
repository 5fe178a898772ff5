import { SessionProvider, useSession } from "@latchkey/next/react"

export default function App({ Component, pageProps }) {
  return (
    <SessionProvider>
      <Account />
      <Component {...pageProps} />
    </SessionProvider>
  )
}

function Account() {
  const { data, status } = useSession()
  return <output id="client">{status === "authenticated" ? data.user.name : status}</output>
}
