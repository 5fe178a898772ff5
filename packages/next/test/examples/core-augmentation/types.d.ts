import type { DefaultSession } from "@auth/core/types"

declare module "@auth/core/types" {
  interface Session {
    user: { id: string; role: "admin" | "member" } & DefaultSession["user"]
  }
  interface User {
    role?: "admin" | "member"
  }
}

declare module "@auth/core/jwt" {
  interface JWT {
    role?: "admin" | "member"
  }
}
