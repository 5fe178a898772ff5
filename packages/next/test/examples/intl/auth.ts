import NextAuth from "next-auth"

export const { auth, handlers } = NextAuth({ providers: [] })
