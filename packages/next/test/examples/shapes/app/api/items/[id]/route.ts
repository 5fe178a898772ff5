import { auth } from "@/auth"
import { NextResponse } from "next/server"

declare function find(id: string): Promise<object | null>
declare function join(path: string[]): string

export const GET = auth(async function GET(req, { params }) {
  if (!req.auth?.user) return NextResponse.json({ message: "Not authenticated" }, { status: 401 })
  const { id } = await params
  return NextResponse.json(await find(id))
})

export const POST = auth(async (req, ctx) => {
  const { slug } = await ctx.params
  const body = await req.json()
  return Response.json({ body, path: join(slug), by: req.auth?.user.id })
})

export const PUT = auth(async (req, { params }: { params: Promise<{ id: string }> }) => {
  return Response.json(await find((await params).id))
})

export const DELETE = auth((req) => {
  if (req.auth) return Response.json({ data: "Protected data" })
  return Response.json({ message: "Not authenticated" }, { status: 401 })
})
