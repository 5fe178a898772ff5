import { NextResponse } from "next/server"
import { auth } from "./auth"

/** Reports the time of `auth` as middleware in a response header. */
export default async function proxy(request: Parameters<typeof auth>[0], event: Parameters<typeof auth>[1]) {
  if (!request.nextUrl.pathname.startsWith("/timed")) return NextResponse.next()
  const since = performance.now()
  const answer = await auth(request, event)
  const time = performance.now() - since
  answer.headers.set("x-time", String(time))
  return answer
}

export const config = { matcher: ["/timed"] }
