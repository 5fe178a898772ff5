import { requireSession } from "../../auth.js"

/** Protected by the page only. */
export default async function Members() {
  const { user } = await requireSession({ redirectTo: "/members" })
  return <p>members only: {user.name}</p>
}
