import { SessionProvider } from "@latchkey/next/react"
import { auth } from "../auth.js"
import { Passkeys } from "../passkeys.jsx"

export async function getServerSideProps(context) {
  return { props: { session: await auth(context) } }
}

export default function Page({ session }) {
  return (
    <SessionProvider session={session}>
      <pre id="session">{JSON.stringify(session)}</pre>
      <Passkeys />
    </SessionProvider>
  )
}
