import { requireSession } from "../../auth.js"

/** Guards itself, whatever the middleware does. */
export default async function Members() {
  const { user } = await requireSession({ redirectTo: "/members" })
  return <p>members only: {user.name}</p>
}
