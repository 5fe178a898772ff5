import { requireSession } from "../../../auth"
import type { RequestHandler } from "./$types"

export const GET: RequestHandler = async (event) => {
  const { user } = await requireSession(event)
  return Response.json({ email: user.email, name: user.name })
}
