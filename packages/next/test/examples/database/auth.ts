import NextAuth from "next-auth"
import type { EmailConfig } from "next-auth/providers"
import Nodemailer from "next-auth/providers/nodemailer"
import { MemoryAdapter } from "./store"

declare module "next-auth" {
  interface User {
    plan?: string
  }
}

const overHttp: EmailConfig = {
  id: "http-email",
  name: "Email",
  type: "email",
  from: "door@site.test",
  maxAge: 60 * 60,
  async sendVerificationRequest({ identifier: to, url, provider, theme }) {
    const { host } = new URL(url)
    const sent = await fetch("https://mail.site.test", {
      method: "POST",
      body: JSON.stringify({
        to,
        from: provider.from,
        subject: `Sign in to ${host}`,
        html: page(url, theme.brandColor),
      }),
    })
    if (!sent.ok) throw new Error(await sent.text())
  },
}

function page(url: string, color = "#346df1") {
  return `<a href="${url}" style="color: ${color}">Sign in</a>`
}

export const { handlers, auth, signIn, signOut } = NextAuth({
  adapter: MemoryAdapter(),
  session: {
    strategy: "database",
    maxAge: 30 * 24 * 60 * 60,
    updateAge: 24 * 60 * 60,
    generateSessionToken: () => crypto.randomUUID(),
  },
  pages: { signIn: "/login", verifyRequest: "/look-into-your-mail", error: "/oops", newUser: "/welcome" },
  providers: [
    overHttp,
    Nodemailer({
      server: { host: "mail.site.test", port: 587, auth: { user: "door", pass: "secret" } },
      from: "door@site.test",
      normalizeIdentifier: (identifier) => identifier.trim().toLowerCase(),
      sendVerificationRequest({ identifier, url, expires, provider, token, request }) {
        console.log(identifier, url, expires.getTime(), provider.from, token.length, request.headers.get("user-agent"))
      },
    }),
  ],
  callbacks: {
    signIn({ user, account, profile, email }) {
      if (email?.verificationRequest) return user.email?.endsWith("@site.test") ?? false
      if (account?.provider === "google") return profile?.email_verified === true
      return profile?.name ? true : "/waitlist"
    },
    redirect({ url, baseUrl }) {
      if (url.startsWith("/")) return `${baseUrl}${url}`
      return new URL(url).origin === baseUrl ? url : baseUrl
    },
    session({ session, user }) {
      session.user.id = user.id
      session.user.plan = user.plan
      return session
    },
  },
  events: {
    async signIn({ user, account, profile, isNewUser }) {
      console.log(user.id, account?.provider, profile?.sub, isNewUser)
    },
    async signOut(message) {
      if ("session" in message) console.log(message.session?.userId)
      else console.log(message.token?.sub)
    },
    createUser: ({ user }) => console.log(user.email),
    linkAccount: ({ user, account, profile }) => console.log(user.id, account.provider, profile.email),
  },
  logger: {
    error: (error) => console.error(error.name, error.message),
    warn: (code) => console.warn(code),
    debug: (message, metadata) => console.debug(message, metadata),
  },
  cookies: {
    sessionToken: {
      name: "door.session",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: true, domain: ".site.test" },
    },
  },
  useSecureCookies: process.env.NODE_ENV === "production",
  trustHost: true,
  secret: [process.env.SECRET_NEW ?? "", process.env.SECRET_OLD ?? ""],
})
