import { NextResponse } from "next/server"
import { auth } from "@/auth"

export const proxy = auth((request) => {
  if (request.auth === null) {
    const signIn = new URL("/sign-in", request.url)
    signIn.searchParams.set("callbackUrl", request.url)
    return NextResponse.redirect(signIn)
  }
  const isAdminPage = request.nextUrl.pathname.startsWith("/admin")
  if (isAdminPage && request.auth.user.role !== "admin") {
    return NextResponse.rewrite(new URL("/forbidden", request.url), { status: 403 })
  }
})

export const config = { matcher: ["/account/:path*", "/admin/:path*"] }
