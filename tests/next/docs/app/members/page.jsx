import { requireSession } from "../../auth.js"

export default async function Members() {
  const { user } = await requireSession()
  return <p id="user">{user.name}</p>
}
