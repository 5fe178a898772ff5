import { signIn } from "../../../auth.js"

/** Route Handlers that sign in, with GET and with a form. */
export async function GET({ nextUrl }) {
  const { provider, ...options } = Object.fromEntries(nextUrl.searchParams)
  return Response.json({ to: await signIn(provider, options) })
}

export async function POST(request) {
  const form = await request.formData()
  return Response.json({ to: await signIn("credentials", form) })
}
