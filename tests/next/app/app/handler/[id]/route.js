import { auth } from "../../../auth.js"

export const GET = auth(async (request, { params }) => {
  const { id } = await params
  return Response.json({ id, auth: request.auth }, { headers: { "x-own": "kept" } })
})
