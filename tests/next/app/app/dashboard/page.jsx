import { requireSession } from "../../auth.js"

/** Protected twice: by the middleware, and by itself. */
export default async function Dashboard() {
  const { user } = await requireSession()
  return <p>the dashboard of {user.name}</p>
}
