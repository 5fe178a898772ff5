import { auth, token } from "../../../auth"

export const GET = auth({ maxAge: "1h" }, async (request) => {
  const { problem } = await token("op")
  return Response.json({ email: request.auth?.user.email, problem })
})
