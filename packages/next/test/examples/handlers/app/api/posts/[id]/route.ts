import { auth, who } from "@/auth"
import { NextResponse } from "next/server"

export const GET = auth(async (request, { params }) => {
  if (!who(request)) return NextResponse.json({}, { status: 401 })
  const { id } = (await params) as { id: string }
  return NextResponse.json({ id, search: request.nextUrl.searchParams.get("q") })
})

export const DELETE = auth(async (request, context) => {
  const params = await context.params
  return NextResponse.json({ id: params?.id, by: request.auth?.user?.id })
}) as never
