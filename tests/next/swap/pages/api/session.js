import { auth } from "../../auth"

export default async function handler(req, res) {
  const session = await auth(req, res)
  if (session) res.json(session.user)
  else res.status(401).json({ message: "Not authenticated" })
}
