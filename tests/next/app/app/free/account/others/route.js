import { account } from "../../../../auth.js"

export async function POST() {
  return Response.json(await account.revokeOtherSessions())
}
