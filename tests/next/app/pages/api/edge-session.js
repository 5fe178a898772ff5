import { auth } from "../../auth.js"

export const config = { runtime: "edge" }

export default auth(({ auth }) => Response.json({ runtime: process.env.NEXT_RUNTIME, auth }))
