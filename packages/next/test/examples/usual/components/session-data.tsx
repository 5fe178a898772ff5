import type { Session } from "next-auth"

export function SessionData({ session }: { session: Session | null }) {
  if (!session?.user) return <p>Not signed in</p>
  return <pre>{JSON.stringify(session.user, null, 2)}</pre>
}
