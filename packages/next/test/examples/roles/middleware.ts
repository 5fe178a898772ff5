import { auth } from "@/auth"
import { NextResponse } from "next/server"

export default auth((request) => {
  const isAdmin = request.auth?.user.role === "admin"
  if (!request.auth && request.nextUrl.pathname !== "/login") {
    return Response.redirect(new URL("/login", request.nextUrl.origin))
  }
  if (!isAdmin && request.nextUrl.pathname.startsWith("/admin")) {
    return NextResponse.rewrite(new URL("/403", request.url), { status: 403 })
  }
})

export const config = { matcher: ["/((?!_next).*)"] }
