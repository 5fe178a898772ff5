import { createAuth, useAuth, useSession } from "@latchkey/vue"
import { expectTypeOf } from "vitest"
import { createApp } from "vue"

interface Own {
  readonly user: { readonly id: number }
  readonly expires: string
}

declare const own: Own

// The application's own type reaches the client and the refs.
const auth = createAuth({ session: own })
expectTypeOf(await auth.client.getSession()).toEqualTypeOf<Own | null>()
expectTypeOf(useSession<Own>().data.value?.user.id).toEqualTypeOf<number | undefined>()
expectTypeOf(await useSession<Own>().update()).toEqualTypeOf<Own | null>()
expectTypeOf(useSession().data.value?.user?.name).toEqualTypeOf<string | null | undefined>()

createApp({}).use(auth)
expectTypeOf((await useAuth().signOut({ redirect: false })).ok).toEqualTypeOf<boolean>()
