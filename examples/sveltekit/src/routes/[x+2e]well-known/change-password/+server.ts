import { redirect } from "@sveltejs/kit"
import type { RequestHandler } from "./$types"

/** Password managers look for this page. */
export const GET: RequestHandler = () => redirect(307, "/auth/password/change")
