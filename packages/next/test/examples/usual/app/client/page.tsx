import { auth } from "@/auth"
import Client from "@/components/client"
import { SessionProvider } from "next-auth/react"

export default async function Page() {
  const session = await auth()
  if (session?.user) {
    // Only what a browser may know.
    session.user = { ...session.user, name: session.user.name, email: session.user.email }
  }
  return (
    <SessionProvider basePath="/auth" session={session}>
      <Client />
    </SessionProvider>
  )
}
