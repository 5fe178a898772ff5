import { CredentialsSignin, type QwikAuthConfig } from "@auth/qwik"
import Credentials from "@auth/qwik/providers/credentials"
import type { EnvGetter } from "@builder.io/qwik-city/middleware/request-handler"
import { passkeys } from "./passkeys"
import { store } from "./store"

class Locked extends CredentialsSignin {
  code = "locked"
}

/** Settings that `@auth/qwik` doesn't have. */
function only(env: EnvGetter): object {
  return { security: env.get("SECURITY"), rateLimit: false }
}

export function config(env: EnvGetter): QwikAuthConfig {
  const adapter = store(env.get("DATABASE") ?? ":memory:")
  const strategy = env.get("STRATEGY") === "database" ? "database" : "jwt"
  return {
    ...passkeys,
    adapter,
    basePath: env.get("BASE_PATH"),
    pages: { signIn: env.get("SIGN_IN_PAGE") },
    session: { strategy, updateAge: Number(env.get("UPDATE_AGE") ?? 86_400) },
    ...only(env),
    providers: [
      ...passkeys.providers,
      Credentials({
        name: "Password",
        credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
        async authorize({ name, password }) {
          if (name === "locked") throw new Locked()
          if (password !== "open sesame") return null
          const user = { id: `id-${name}`, name: String(name), email: `${name}@users.test`, emailVerified: null }
          if (strategy === "jwt") return user
          return (await adapter.getUser?.(user.id)) ?? adapter.createUser?.(user) ?? null
        },
      }),
      // Issuer, id and secret are in AUTH_OP_ISSUER, AUTH_OP_ID and AUTH_OP_SECRET.
      { id: "op", name: "Acme", type: "oidc" },
      {
        id: "email",
        name: "Email",
        type: "email",
        maxAge: 600,
        async sendVerificationRequest({ url }) {
          await fetch(`${env.get("SERVICES_URL")}/email`, { method: "POST", body: url })
        },
      },
    ],
  }
}
