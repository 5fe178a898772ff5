import { CredentialsSignin, ExpressAuth, getSession } from "@auth/express"
import Credentials from "@auth/express/providers/credentials"
import express from "express"

class Locked extends CredentialsSignin {
  code = "locked"
}

const config = {
  providers: [
    Credentials({
      credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
      authorize({ name, password }) {
        const user = String(name)
        if (user === "locked") throw new Locked()
        return password === "open sesame" ? { id: `id-${user}`, name: user, email: `${user}@users.test` } : null
      },
    }),
    { id: "op", name: "Acme", type: "oidc" },
  ],
  callbacks: {
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
}

const app = express()
app.set("trust proxy", true)
app.use(process.env.MOUNT, ExpressAuth(config))

app.use(async (req, res, next) => {
  res.locals.session = await getSession(req, config)
  next()
})

app.get("/session", (_req, res) => res.json(res.locals.session))

app.get("/private", (_req, res) => {
  if (res.locals.session) res.send(res.locals.session.user.email)
  else res.redirect("/auth/signin")
})

const server = app.listen(Number(process.env.PORT), "localhost", () => {
  console.log(`Listening on ${server.address().port}`)
})
