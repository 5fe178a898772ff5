import { auth } from "../auth.server"
import type { Route } from "./+types/api.csrf-token"

export async function loader(args: Route.LoaderArgs) {
  return Response.json({ csrfToken: await auth.csrfToken(args) })
}
