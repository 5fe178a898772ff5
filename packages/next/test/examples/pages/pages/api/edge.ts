import { auth } from "@/auth"

export default auth((request) => {
  return request.auth ? Response.json(request.auth.expires) : new Response("Sign in first", { status: 401 })
})

export const config = { runtime: "edge" }
