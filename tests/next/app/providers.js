import Credentials from "@latchkey/next/providers/credentials"
import Passkey from "@latchkey/next/providers/passkey"
import { CONFIG_ERROR, ISSUER, SECURITY, SERVICES_URL, STRATEGY, USERS } from "./env.js"

const broken = CONFIG_ERROR === "provider" ? [{ id: "broken", type: "oidc" }] : []

export default [
  Credentials({
    name: "Password",
    credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
    authorize,
  }),
  {
    id: "email",
    name: "Email",
    type: "email",
    async sendVerificationRequest({ url }) {
      await fetch(`${SERVICES_URL}/email`, { method: "POST", body: url })
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
  ...broken,
  // It needs the adapter, which the edge runtime doesn't have here.
  ...(process.env.NEXT_RUNTIME === "edge" ? [] : [Passkey]),
]

async function authorize({ name, password }) {
  if (password !== "open sesame") return null
  if (name === "broken") throw new Error("the directory is down")
  const user = { id: `id-${name}`, name, email: `${name}@users.test` }
  // Stored and revocable sessions need a stored user.
  const isStored = USERS === "stored" || STRATEGY === "database" || SECURITY === "strict"
  return process.env.NEXT_RUNTIME !== "edge" && isStored ? stored(await import("./store.js"), user) : user
}

async function stored({ default: store }, user) {
  return (await store.getUser(user.id)) ?? store.createUser({ ...user, emailVerified: null })
}
