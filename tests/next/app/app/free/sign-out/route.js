import { signOut } from "../../../auth.js"

export async function GET({ nextUrl }) {
  return Response.json({ to: await signOut(Object.fromEntries(nextUrl.searchParams)) })
}
