import { defineModule, type Module } from "@latchkey/core/module"
import { H3Auth } from "@latchkey/h3"
import GitHub from "@latchkey/h3/providers/github"
import { expectTypeOf } from "vitest"

interface Visits {
  of(userId: string): Promise<number>
}

const visits = () => defineModule<"visits", Visits>({ id: "visits", members: ["of"] })
const reserved = () => defineModule<"handler", Visits>({ id: "handler", members: ["of"] })
declare const widened: Module<string, Visits>
declare const silent: Module<"silent">

const plain = H3Auth({ providers: [GitHub] })

// A module is a member of its own type, and the session keeps the type of the callback.
const auth = H3Auth({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
  modules: [visits(), silent],
})
expectTypeOf(auth.visits).toEqualTypeOf<Visits>()
expectTypeOf<Awaited<ReturnType<typeof auth.getServerSession>>>().toExtend<{ readonly role: "admin" } | null>()
// @ts-expect-error it has no functions
void auth.silent
// A list that isn't in the configuration keeps the ids.
const listed = [visits()]
expectTypeOf(H3Auth({ providers: [], modules: listed }).visits).toEqualTypeOf<Visits>()

// Without modules, and with modules whose ids aren't known or are taken, the result is as before.
expectTypeOf(H3Auth({ providers: [GitHub], modules: [] })).toEqualTypeOf(plain)
expectTypeOf(H3Auth({ providers: [GitHub], modules: [widened] })).toEqualTypeOf(plain)
expectTypeOf(H3Auth({ providers: [GitHub], modules: [reserved()] })).toEqualTypeOf(plain)

// With a configuration function, the modules are the second argument.
const found = H3Auth(() => ({ providers: [GitHub], callbacks: { session: () => ({ tenant: 7 }) } }), {
  modules: [visits()],
})
expectTypeOf(found.visits).toEqualTypeOf<Visits>()
expectTypeOf<Awaited<ReturnType<typeof found.getServerSession>>>().toEqualTypeOf<{ tenant: number } | null>()
expectTypeOf(H3Auth(() => ({ providers: [GitHub] }))).toEqualTypeOf(plain)
