import { getToken } from "next-auth/jwt"
import { withAuth } from "next-auth/middleware"
import { NextResponse } from "next/server"
import { decode } from "./lib/codec"
import { pages, sessionCookie } from "./lib/names"

const options = { pages, cookies: { sessionToken: { name: sessionCookie } }, jwt: { decode } }

const onlyAdmins = withAuth(
  function middleware(req) {
    if (req.nextauth.token?.role !== "admin") return NextResponse.redirect(new URL("/denied", req.url))
  },
  { ...options, callbacks: { authorized: ({ token }) => !!token } },
)

const onlyUsers = withAuth(options)

export default async function middleware(req, event) {
  switch (req.nextUrl.pathname) {
    case "/admin":
      return onlyAdmins(req, event)
    case "/dashboard":
      return withAuth(req, options)
    case "/token": {
      const token = await getToken({ req, cookieName: sessionCookie, decode, secret: process.env.NEXTAUTH_SECRET })
      return NextResponse.json(token && { sub: token.sub, role: token.role })
    }
    default:
      return onlyUsers(req, event)
  }
}

export const config = { matcher: ["/admin", "/dashboard", "/token", "/reports/:path*"] }
