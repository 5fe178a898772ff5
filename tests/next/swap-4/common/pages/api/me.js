import { pagesSession } from "../../auth"

export default async function handler(req, res) {
  const session = await pagesSession(req, res)
  res.json(session?.user ?? null)
}
