import { isServer } from "@builder.io/qwik"
import { type DefaultSession, QwikAuth$ } from "@latchkey/qwik"
import Credentials from "@latchkey/qwik/providers/credentials"
import Passkey from "@latchkey/qwik/providers/passkey"

declare module "@latchkey/qwik" {
  interface Session {
    user: { id: string } & DefaultSession["user"]
  }
}

// This function is part of the client build, although browsers don't call it. So it has no secrets, and it imports the database
// behind `isServer`.
export const { csrfToken, onRequest, useSession, useSignIn, useSignOut } = QwikAuth$(async ({ env }) => {
  if (!isServer) throw new Error("Browsers have no configuration.")
  const { store, validName } = await import("../store")
  return {
    adapter: store.adapter,
    session: { strategy: "jwt" },
    pages: { signIn: "/sign-in/", verifyRequest: "/check-your-email/", error: "/sign-in/" },
    experimental: { enableWebAuthn: true },
    providers: [
      Credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        authorize: ({ email, password }) => store.checkPassword(String(email), String(password)),
      }),
      {
        id: "email",
        name: "Email",
        type: "email",
        from: "Harbor <noreply@harbor.example>",
        sendVerificationRequest: ({ identifier, url }) => store.saveMessage(identifier, url),
      },
      ...(env.get("AUTH_OPENID_ID") ? [{ id: "openid", name: "OpenID", type: "oidc" } as const] : []),
      Passkey,
    ],
    callbacks: {
      // The browser can send any data. Take only the name, and validate it.
      jwt({ token, trigger, session }) {
        const name = trigger === "update" ? validName(session.user?.name) : undefined
        return { ...token, name: name ?? token.name }
      },
      session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } }),
    },
  }
})
