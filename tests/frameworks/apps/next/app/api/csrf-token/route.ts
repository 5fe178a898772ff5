import { csrfToken } from "../../../auth"

export async function GET(): Promise<Response> {
  return Response.json({ csrfToken: await csrfToken() })
}
