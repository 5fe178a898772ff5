import type { Adapter } from "@auth/core/adapters"
import type { JWT } from "@auth/core/jwt"
import GitHub from "@auth/core/providers/github"
import type { Session } from "@auth/core/types"
import NextAuth, { type NextAuthConfig } from "next-auth"

declare const adapter: Adapter

const config: NextAuthConfig = {
  adapter,
  providers: [GitHub],
  session: { strategy: "jwt" },
  callbacks: {
    jwt({ token, user }): JWT {
      if (user) token.role = user.role
      return token
    },
    async session({ session, token }): Promise<Session> {
      session.user.role = token.role ?? "member"
      return session
    },
  },
}

export const { auth, handlers } = NextAuth(config)

export async function role(): Promise<"admin" | "member" | undefined> {
  const session = await auth()
  return session?.user.role
}
