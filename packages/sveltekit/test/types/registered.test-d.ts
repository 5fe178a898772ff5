import type { RegisteredSession, Session, UserAccount } from "@latchkey/sveltekit"
import { SvelteKitAuth } from "@latchkey/sveltekit"
import type { useSession } from "@latchkey/sveltekit/client"
import type { RequestEvent } from "@sveltejs/kit"
import { expectTypeOf } from "vitest"

const auth = SvelteKitAuth({
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
})

declare module "@latchkey/sveltekit" {
  interface Register {
    auth: typeof auth
  }
}

// What the session callback returns is the session everywhere.
expectTypeOf<RegisteredSession["role"]>().toEqualTypeOf<"admin">()
expectTypeOf<RegisteredSession>().toExtend<Session>()
expectTypeOf<Awaited<ReturnType<App.Locals["auth"]>>>().toEqualTypeOf<RegisteredSession | null>()
expectTypeOf<RequestEvent["locals"]["auth"]>().toEqualTypeOf<App.Locals["auth"]>()
expectTypeOf<App.PageData["session"]>().toEqualTypeOf<RegisteredSession | null | undefined>()
expectTypeOf<ReturnType<typeof useSession>["data"]>().toEqualTypeOf<RegisteredSession | null>()

expectTypeOf(auth.account).toEqualTypeOf<(event: RequestEvent) => UserAccount>()
