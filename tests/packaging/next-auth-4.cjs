// Signs in with a password through an API Route, with the package as CommonJS. Prints the user of the session.
const { default: NextAuth, getServerSession } = require("next-auth")
const { getToken } = require("next-auth/jwt")
const { withAuth } = require("next-auth/middleware")
const { default: Credentials } = require("next-auth/providers/credentials")
const { default: Google } = require("next-auth/providers/google")
const { SessionProvider } = require("next-auth/react")

const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
process.env.NEXTAUTH_URL = "http://app.test"
process.env.NODE_ENV = "production"

const authOptions = {
  secret,
  providers: [
    Google({ clientId: "id", clientSecret: "secret" }),
    Credentials({ credentials: { name: {} }, authorize: async ({ name }) => ({ id: "1", name }) }),
  ],
}
const handler = NextAuth(authOptions)
const jar = new Map()

/** Calls the API Route as Next.js does. */
async function call(method, path, body) {
  const headers = { cookie: [...jar].map((pair) => pair.join("=")).join("; ") }
  if (body) headers["content-type"] = "application/x-www-form-urlencoded"
  const sent = {}
  let text = ""
  const res = {
    headersSent: false,
    statusCode: 200,
    getHeader: (name) => sent[name.toLowerCase()],
    setHeader: (name, value) => (sent[name.toLowerCase()] = value),
    end: (bytes) => (text = Buffer.from(bytes).toString()),
  }
  await handler({ method, headers, body, query: { nextauth: path.split("/") } }, res)
  for (const line of sent["set-cookie"] ?? [])
    jar.set(line.split("=")[0], line.split(";")[0].split("=").slice(1).join("="))
  return JSON.parse(text)
}

async function main() {
  const { csrfToken } = await call("GET", "csrf")
  await call("POST", "callback/credentials", { csrfToken, name: "Ada", json: "true" })
  const { user } = await call("GET", "session")
  const req = { headers: { cookie: [...jar].map((pair) => pair.join("=")).join("; ") } }
  const res = { headersSent: false, getHeader: () => undefined, setHeader: () => undefined }
  const session = await getServerSession(req, res, authOptions)
  const token = await getToken({ req, secret })
  const kinds = [typeof withAuth, typeof SessionProvider].join()
  console.log(JSON.stringify({ user, server: session.user.name, sub: token.sub, kinds }))
}

void main()
