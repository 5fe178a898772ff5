import { auth } from "../../../../auth"

export const GET = auth(async (req, { params }) => {
  if (!req.auth) return Response.json({ message: "Not authenticated" }, { status: 401 })
  return Response.json({ id: (await params).id, user: req.auth.user, url: req.nextUrl.pathname })
})
