import { createSvelteAuth, type Session, type SessionState, signOut, useSession } from "@latchkey/svelte"
import { expectTypeOf } from "vitest"

const session = useSession()
expectTypeOf(session).toEqualTypeOf<SessionState>()
expectTypeOf(session.data).toEqualTypeOf<Session | null>()
expectTypeOf(session.update({ user: { name: "Ada" } })).resolves.toEqualTypeOf<Session | null>()
expectTypeOf(signOut({ redirect: false })).resolves.toExtend<{ url: string }>()

interface Member extends Session {
  role: string
}
const typed = createSvelteAuth<Member>({ basePath: "/api/auth", refetchInterval: 300 })
expectTypeOf(typed.useSession(() => null).data).toEqualTypeOf<Member | null>()
// @ts-expect-error a session of another type
typed.useSession(() => ({ expires: "" }))
