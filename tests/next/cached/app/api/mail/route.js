import Nodemailer from "@latchkey/next/providers/nodemailer"

const provider = Nodemailer({ sendVerificationRequest: () => {} })

export async function GET(request) {
  return Response.json({ id: provider.id, path: new URL(request.url).pathname })
}
