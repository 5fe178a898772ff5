import { auth } from "../../auth.js"

export const runtime = "edge"

export const GET = auth(({ auth }) => Response.json({ runtime: process.env.NEXT_RUNTIME, auth }))
