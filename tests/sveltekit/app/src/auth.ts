import { CredentialsSignin, SvelteKitAuth, type SvelteKitAuthConfig } from "@auth/sveltekit"
import Credentials from "@auth/sveltekit/providers/credentials"
import { env } from "$env/dynamic/private"
import { sqlite } from "@latchkey/sql/sqlite"

class Locked extends CredentialsSignin {
  code = "locked"
}

export const { handle, signIn, signOut } = SvelteKitAuth(async () => {
  const config: SvelteKitAuthConfig = {
    adapter: sqlite(env.DATABASE ?? ":memory:") as SvelteKitAuthConfig["adapter"],
    session: { strategy: env.STRATEGY === "database" ? "database" : "jwt" },
    trustHost: true,
    providers: [
      Credentials({
        credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
        authorize: ({ name, password }) => {
          if (name === "locked") throw new Locked()
          return password === "open sesame"
            ? { id: `id-${name}`, name: String(name), email: `${name}@users.test` }
            : null
        },
      }),
      { id: "op", name: "Acme", type: "oidc" },
      {
        id: "email",
        name: "Email",
        type: "email",
        maxAge: 600,
        async sendVerificationRequest({ url }) {
          await fetch(`${env.SERVICES_URL}/email`, { method: "POST", body: url })
        },
      },
    ],
  }
  return config
})
