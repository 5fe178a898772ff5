import { auth } from "../../../auth"

export const GET = auth((request) => {
  if (request.auth === null) return Response.json({ message: "You need to sign in." }, { status: 401 })
  const { email, name } = request.auth.user
  return Response.json({ email, name })
})
