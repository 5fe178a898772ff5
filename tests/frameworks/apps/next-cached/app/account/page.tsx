import { Suspense } from "react"
import { requireSession } from "../../auth"
import { rename } from "../actions"

async function User() {
  const { user } = await requireSession()
  return (
    <>
      <p id="account">{user.email}</p>
      <p id="name">{user.name}</p>
      <form id="rename" action={rename}>
        <input name="name" />
        <button>Rename</button>
      </form>
    </>
  )
}

export default function Account() {
  return (
    <Suspense>
      <User />
    </Suspense>
  )
}
