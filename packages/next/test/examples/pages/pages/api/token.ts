import type { NextApiRequest, NextApiResponse } from "next"
import { decode, encode, getToken, type JWT } from "next-auth/jwt"

const secret = process.env.AUTH_SECRET ?? ""

export default async function handler(request: NextApiRequest, response: NextApiResponse) {
  const token: JWT | null = await getToken({
    req: { headers: new Headers({ cookie: request.headers.cookie ?? "" }) },
    secret,
  })
  const sealed = await encode({ token: { sub: token?.sub }, secret, salt: "links", maxAge: 60 })
  const opened = await decode({ token: sealed, secret, salt: "links" })
  response.json({ name: token?.name, sub: opened?.sub })
}
