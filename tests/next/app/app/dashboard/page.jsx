import { requireSession } from "../../auth.js"

/** Protected by the middleware and by the page. */
export default async function Dashboard() {
  const { user } = await requireSession()
  return <p>the dashboard of {user.name}</p>
}
