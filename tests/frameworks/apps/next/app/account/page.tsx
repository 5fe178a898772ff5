import { requireSession } from "../../auth"
import { rename } from "../actions"

export default async function Account() {
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
