import NextAuth from "next-auth"
import { optionsFor } from "../../../lib/auth"

async function handler(req, context) {
  return await NextAuth(req, context, optionsFor(req))
}

export { handler as GET, handler as POST }
