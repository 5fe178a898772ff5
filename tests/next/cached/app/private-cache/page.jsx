import { Suspense } from "react"
import { auth } from "@/auth"

async function Cached() {
  "use cache: private"
  const session = await auth()
  return <p id="user">{session?.user.email}</p>
}

export default function Page() {
  return (
    <Suspense>
      <Cached />
    </Suspense>
  )
}
