import { auth } from "../../../auth.js"

export const POST = auth(async (request) => Response.json({ url: request.url, body: await request.text() }))
