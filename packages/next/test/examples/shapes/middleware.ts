import NextAuth from "next-auth"
import { NextResponse } from "next/server"
import authConfig from "./auth.config"

const { auth } = NextAuth(authConfig)

export default auth((req) => {
  const { nextUrl } = req
  const isLoggedIn = !!req.auth
  if (nextUrl.pathname === "/robots.txt") return null
  if (isLoggedIn) return Response.redirect(new URL("/settings", nextUrl))
  if (req.auth?.user?.role === "ADMIN") return NextResponse.next()
  const callbackUrl = encodeURIComponent(nextUrl.pathname + nextUrl.search)
  if (nextUrl.search) return NextResponse.redirect(new URL(`/auth/login?callbackUrl=${callbackUrl}`, req.url))
  return undefined
})

export const config = { matcher: ["/((?!.+\\.[\\w]+$|_next).*)", "/", "/(api|trpc)(.*)"] }
