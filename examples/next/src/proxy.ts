import { NextResponse } from "next/server"
import { auth } from "@/auth"

/** The `authorized` callback in auth.ts requires a session. This adds the role. */
export const proxy = auth((request) => {
  const isAdminPage = request.nextUrl.pathname.startsWith("/admin")
  if (isAdminPage && request.auth?.user.role !== "admin") {
    return NextResponse.rewrite(new URL("/forbidden", request.url), { status: 403 })
  }
})

export const config = { matcher: ["/account/:path*", "/admin/:path*"] }
