import { NextResponse } from "next/server"
import { auth } from "@/auth"

/** Nobody gets further without a session (`authorized` in auth.ts); some pages want a role as well. */
export const proxy = auth((request) => {
  const isForAdmins = request.nextUrl.pathname.startsWith("/admin")
  if (isForAdmins && request.auth?.user.role !== "admin") {
    return NextResponse.rewrite(new URL("/forbidden", request.url), { status: 403 })
  }
})

export const config = { matcher: ["/account/:path*", "/admin/:path*"] }
