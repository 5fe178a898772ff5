import NextAuth from "next-auth"
import { optionsFor } from "../../../lib/auth"

export default async function auth(req, res) {
  // Scanners of mails and chats send it.
  if (req.method === "HEAD") return res.status(200).end()
  return await NextAuth(req, res, optionsFor(req))
}
