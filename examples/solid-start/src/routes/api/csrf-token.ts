import { csrfToken } from "~/auth"

export async function GET() {
  return Response.json({ csrfToken: await csrfToken() })
}
