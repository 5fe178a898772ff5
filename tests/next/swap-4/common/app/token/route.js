import { getToken } from "next-auth/jwt"

export async function GET(req) {
  const token = await getToken({ req, secret: process.env.NEXTAUTH_SECRET })
  return Response.json(token === null ? null : { sub: token.sub, name: token.name, role: token.role })
}
