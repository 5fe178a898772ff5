import { auth } from "@/auth"
import { NextResponse } from "next/server"

export const GET = auth((request) => {
  if (request.auth) return NextResponse.json({ for: request.auth.user?.email })
  return NextResponse.json({ message: "Sign in first" }, { status: 401 })
})

export const POST = auth(async function POST(request) {
  const body: unknown = await request.json()
  return Response.json({ body, by: request.auth?.user?.name, at: request.nextUrl.pathname })
})
