import { auth } from "@/auth"
import type { NextApiRequest, NextApiResponse } from "next"

export default async function handler(request: NextApiRequest, response: NextApiResponse) {
  const session = await auth(request, response)
  if (session) return response.json({ for: session.user?.email })
  response.status(401).json("Sign in first")
}
