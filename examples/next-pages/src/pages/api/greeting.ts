import type { NextApiRequest, NextApiResponse } from "next"
import { auth } from "@/auth"

export default async function handler(request: NextApiRequest, response: NextApiResponse) {
  const session = await auth(request, response)
  if (session === null) return response.status(401).send("Please sign in")
  response.setHeader("content-type", "text/plain; charset=utf-8")
  response.send(`Hello ${session.user.name ?? session.user.email}, from the server.`)
}
