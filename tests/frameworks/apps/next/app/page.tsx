import { auth } from "../auth"
import { leave, start } from "./actions"

export default async function Home() {
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
