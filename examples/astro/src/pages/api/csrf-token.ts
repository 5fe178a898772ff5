import type { APIRoute } from "astro"
import { auth } from "../../auth"

export const GET: APIRoute = async (context) => Response.json({ csrfToken: await auth.csrfToken(context) })
