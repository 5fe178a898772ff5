import { getSession } from "@auth/solid-start"
import type { APIEvent } from "@solidjs/start/server"
import { authOpts } from "~/routes/api/auth/[...solidauth]"

export async function GET(event: APIEvent) {
  return Response.json(await getSession(event.request, authOpts))
}
