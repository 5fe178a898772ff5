import Credentials from "@latchkey/next/providers/credentials"
import { FAULT, ISSUER, OUTSIDE, SECURITY, STRATEGY } from "./env.js"

const fault = FAULT === "provider" ? [{ id: "broken", type: "oidc" }] : []

export default [
  Credentials({
    name: "Password",
    credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
    authorize,
  }),
  {
    id: "mail",
    name: "Mail",
    type: "email",
    async sendVerificationRequest({ url }) {
      await fetch(`${OUTSIDE}/mail`, { method: "POST", body: url })
    },
  },
  {
    id: "op",
    name: "Acme",
    type: "oidc",
    issuer: ISSUER ?? "http://127.0.0.1:9",
    clientId: "latchkey",
    clientSecret: "fake-client-secret-of-forty-three-characters",
  },
  ...fault,
]

async function authorize({ name, password }) {
  if (password !== "open sesame") return null
  const user = { id: `id-${name}`, name, email: `${name}@people.test` }
  // Where sessions can be looked up, they are of users who can be, too.
  const isStored = STRATEGY === "database" || SECURITY === "strict"
  return process.env.NEXT_RUNTIME !== "edge" && isStored ? stored(await import("./store.js"), user) : user
}

async function stored({ default: store }, user) {
  return (await store.getUser(user.id)) ?? store.createUser({ ...user, emailVerified: null })
}
