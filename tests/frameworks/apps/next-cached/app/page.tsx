import { Suspense } from "react"
import { auth } from "../auth"
import { leave, start } from "./actions"

async function User() {
  const session = await auth()
  return session === null ? (
    <>
      <p id="user">Not signed in</p>
      <form id="sign-in" action={start}>
        <button>Sign in</button>
      </form>
    </>
  ) : (
    <>
      <p id="user">{session.user.email}</p>
      <form id="sign-out" action={leave}>
        <button>Sign out</button>
      </form>
    </>
  )
}

export default function Home() {
  return (
    <Suspense>
      <User />
    </Suspense>
  )
}
