import type { APIRoute } from "astro"
import { auth } from "../../auth"

export const GET: APIRoute = async (context) => {
  const session = await auth.requireSession(context)
  if (session instanceof Response) return session
  return Response.json({ email: session.user.email, name: session.user.name })
}
