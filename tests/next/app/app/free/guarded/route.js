import { auth } from "../../../auth.js"

export const GET = auth(({ auth }) => (auth ? Response.json(auth) : new Response("please sign in", { status: 401 })))
