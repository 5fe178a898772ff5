import { requireSession } from "../../../auth.js"

export async function GET() {
  return Response.json(await requireSession({ redirectTo: "/members" }))
}

export const POST = GET
