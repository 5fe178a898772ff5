import { requireSession } from "../../../auth"
import { berthsOf } from "../../../database"
import type { RequestHandler } from "./$types"

/** A visitor who isn't signed in gets 401 with JSON. */
export const GET: RequestHandler = async (event) => {
  const { user } = await requireSession(event)
  return Response.json({ berths: berthsOf(user.id) })
}
