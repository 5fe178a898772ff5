import { auth } from "../../../auth.js"

export const GET = auth(({ auth }) => Response.json(auth))
