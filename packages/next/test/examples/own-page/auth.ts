import NextAuth, { CredentialsSignin } from "next-auth"
import type { Provider } from "next-auth/providers"
import Credentials from "next-auth/providers/credentials"

class WrongCode extends CredentialsSignin {
  code = "wrong_code"
}

const providers: Provider[] = [
  Credentials({
    credentials: { code: { label: "Code", type: "text", placeholder: "123456", autoComplete: "one-time-code" } },
    authorize(typed) {
      if (typed.code !== "123456") throw new WrongCode()
      return { id: "test", name: "Tess", email: "tess@site.test" }
    },
  }),
  () => ({ id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.test" }),
]

export const providerMap = providers
  .map((provider) => {
    if (typeof provider === "function") {
      const { id, name } = provider()
      return { id, name }
    }
    return { id: provider.id, name: provider.name }
  })
  .filter(({ id }) => id !== "credentials")

export const { handlers, auth, signIn, signOut } = NextAuth({ providers, pages: { signIn: "/signin" } })
