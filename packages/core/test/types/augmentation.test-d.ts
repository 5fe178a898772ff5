import type { JWT } from "@latchkey/core/jwt"
import { createServer } from "@latchkey/core/server"
import type { Account, Session, User } from "@latchkey/core/types"
import { expectTypeOf, test } from "vitest"

declare module "@latchkey/core/types" {
  interface User {
    favoriteColor?: string
  }
  interface Account {
    tenant?: string
  }
  interface Session {
    readonly marker?: "augmented"
  }
}

declare module "@latchkey/core/jwt" {
  interface JWT {
    plan?: "free" | "paid"
  }
}

test("fields that augment the interfaces of `types` and `jwt` are part of every type", () => {
  expectTypeOf<User["favoriteColor"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Account["tenant"]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<JWT["plan"]>().toEqualTypeOf<"free" | "paid" | undefined>()
  const server = createServer({ providers: [], callbacks: { jwt: ({ token }) => token } })
  expectTypeOf<NonNullable<Awaited<ReturnType<typeof server.session>>["session"]>>().toEqualTypeOf<Session>()
  expectTypeOf<Session["marker"]>().toEqualTypeOf<"augmented" | undefined>()
})

test("the session callback gets the augmented claims", () => {
  createServer({
    providers: [],
    callbacks: {
      session({ session, token }) {
        expectTypeOf(token.plan).toEqualTypeOf<"free" | "paid" | undefined>()
        expectTypeOf(session.user.favoriteColor).toEqualTypeOf<string | undefined>()
        return session
      },
    },
  })
})
