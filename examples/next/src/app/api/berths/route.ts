import { auth } from "@/auth"
import { berthsOf } from "@/database"

export const GET = auth(({ auth: session }) =>
  session === null
    ? Response.json({ error: "Sign in first." }, { status: 401 })
    : Response.json({ berths: berthsOf(session.user.id) }),
)
