import { auth } from "../../../auth"

export const GET = auth({ maxAge: "1h" }, (request) => Response.json({ email: request.auth?.user.email }))
