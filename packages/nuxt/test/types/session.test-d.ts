import { useSession } from "@latchkey/nuxt/client"
import { type H3Event, NuxtAuth, type UserAccount } from "@latchkey/nuxt/server"
import { expectTypeOf } from "vitest"

const auth = NuxtAuth({
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
})

// The Nuxt module writes this declaration.
declare module "@latchkey/nuxt/client" {
  interface Register {
    session: NonNullable<Awaited<ReturnType<typeof auth.getServerSession>>>
  }
}

expectTypeOf(useSession().data.value?.tenant).toEqualTypeOf<number | undefined>()
expectTypeOf((await useSession().update())?.tenant).toEqualTypeOf<number | undefined>()

expectTypeOf(auth.account).toEqualTypeOf<(event: H3Event) => UserAccount>()
