import { requireSession } from "~/auth"

export async function GET() {
  const { user } = await requireSession()
  return Response.json({ email: user.email, name: user.name })
}
