import { auth } from "@/auth"
import type { NextRequest } from "next/server"

async function forward(request: NextRequest) {
  const session = await auth()
  const headers = new Headers(request.headers)
  headers.set("authorization", `Bearer ${session?.accessToken}`)
  const target = request.nextUrl.href.replace(request.nextUrl.origin, "https://backend.site.test")
  const { body, status } = await fetch(target, { headers, body: request.body })
  return new Response(body, { status })
}

export const dynamic = "force-dynamic"
export { forward as GET, forward as POST }
