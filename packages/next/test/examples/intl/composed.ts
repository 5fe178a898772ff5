import { auth } from "@/auth"
import type { NextFetchEvent, NextMiddleware, NextRequest } from "next/server"
import { NextResponse } from "next/server"

function withHeader(next: NextMiddleware): NextMiddleware {
  return async (request: NextRequest, event: NextFetchEvent) => {
    const response = await next(request, event)
    if (response instanceof NextResponse) response.headers.set("x-seen", "yes")
    return response
  }
}

export const middleware: NextMiddleware = withHeader(auth(async (request, event) => {
  void event
  if (!request.auth) return NextResponse.redirect(new URL("/login", request.url))
  return NextResponse.next()
}))
