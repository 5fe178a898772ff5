import { requireSession } from "../../../auth"

export async function GET(): Promise<Response> {
  const { user } = await requireSession()
  return Response.json({ email: user.email, name: user.name })
}
