import type { GetServerSideProps, NextApiRequest, NextApiResponse } from "next"
import { getToken, type JWT } from "next-auth/jwt"
import { auth } from "./auth"

export const getServerSideProps: GetServerSideProps = async (context) => {
  const session = await auth(context)
  if (!session) return { redirect: { destination: "/login", permanent: false } }
  return { props: { session, role: session.user.role } }
}

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const session = await auth(req, res)
  const token: JWT | null = await getToken({
    req: { headers: { cookie: String(req.headers.cookie) } },
    secret: process.env.AUTH_SECRET,
  })
  if (!session?.user) return res.status(401).json({ error: "Unauthorized" })
  return res.json({ id: session.user.id, sub: token?.sub, role: token?.role })
}
