import { getServerAuthSession } from "../../../lib/auth"

// What tRPC calls for each request, and a procedure that only users may call.
async function createContext({ req, res }) {
  return { session: await getServerAuthSession({ req, res }) }
}

const isProtected = (procedure) => (context) => {
  if (!context.session?.user) throw Object.assign(new Error("UNAUTHORIZED"), { status: 401 })
  return procedure(context)
}

const procedures = { me: isProtected(({ session }) => session.user), hello: () => "hello" }

export default async function handler(req, res) {
  try {
    res.json({ result: procedures[req.query.procedure](await createContext({ req, res })) })
  } catch (cause) {
    res.status(cause.status ?? 500).json({ error: cause.message })
  }
}
