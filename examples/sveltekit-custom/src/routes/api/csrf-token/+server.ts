import { csrfToken } from "../../../auth"
import type { RequestHandler } from "./$types"

export const GET: RequestHandler = async (event) => Response.json({ csrfToken: await csrfToken(event) })
