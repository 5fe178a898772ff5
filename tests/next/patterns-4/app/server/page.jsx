import { getServerSession } from "next-auth/next"
import { cookies, headers } from "next/headers"
import { getToken } from "next-auth/jwt"
import { authOptions } from "../../lib/auth"
import { decode } from "../../lib/codec"
import { sessionCookie } from "../../lib/names"

export default async function Page() {
  const session = await getServerSession(authOptions)
  const req = { headers: Object.fromEntries(await headers()), cookies: await cookies() }
  const token = await getToken({ req, cookieName: sessionCookie, decode })
  return <p id="user">{JSON.stringify(session && { ...session.user, expires: session.expires, sub: token?.sub })}</p>
}
