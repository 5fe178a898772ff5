import { auth } from "../auth.server"
import type { Route } from "./+types/api.account"

export async function loader(args: Route.LoaderArgs) {
  const { user } = await auth.requireSession(args)
  return Response.json({ email: user.email, name: user.name })
}
