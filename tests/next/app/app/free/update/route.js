import { update } from "../../../auth.js"

export async function GET({ nextUrl }) {
  return Response.json(await update(Object.fromEntries(nextUrl.searchParams)))
}
