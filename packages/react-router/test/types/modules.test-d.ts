import { defineModule, type Module } from "@latchkey/core/module"
import { ReactRouterAuth } from "@latchkey/react-router"
import GitHub from "@latchkey/react-router/providers/github"
import { expectTypeOf } from "vitest"

interface Visits {
  of(userId: string): Promise<number>
}

const visits = () => defineModule<"visits", Visits>({ id: "visits", members: ["of"] })
const reserved = () => defineModule<"loader", Visits>({ id: "loader", members: ["of"] })
declare const widened: Module<string, Visits>
declare const silent: Module<"silent">

const plain = ReactRouterAuth({ providers: [GitHub] })

// A module is a member of its own type, and the session keeps the type of the callback.
const auth = ReactRouterAuth({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
  modules: [visits(), silent],
})
expectTypeOf(auth.visits).toEqualTypeOf<Visits>()
expectTypeOf<Awaited<ReturnType<typeof auth.session>>>().toExtend<{ readonly role: "admin" } | null>()
// @ts-expect-error it has no functions
void auth.silent
// A list that isn't in the configuration keeps the ids.
const listed = [visits()]
expectTypeOf(ReactRouterAuth({ providers: [], modules: listed }).visits).toEqualTypeOf<Visits>()

// Without modules, and with modules whose ids aren't known or are taken, the result is as before.
expectTypeOf(ReactRouterAuth({ providers: [GitHub], modules: [] })).toEqualTypeOf(plain)
expectTypeOf(ReactRouterAuth({ providers: [GitHub], modules: [widened] })).toEqualTypeOf(plain)
expectTypeOf(ReactRouterAuth({ providers: [GitHub], modules: [reserved()] })).toEqualTypeOf(plain)

// With a configuration function, the modules are the second argument.
const found = ReactRouterAuth(() => ({ providers: [GitHub], callbacks: { session: () => ({ tenant: 7 }) } }), {
  modules: [visits()],
})
expectTypeOf(found.visits).toEqualTypeOf<Visits>()
expectTypeOf<Awaited<ReturnType<typeof found.session>>>().toEqualTypeOf<{ tenant: number } | null>()
expectTypeOf(ReactRouterAuth(() => ({ providers: [GitHub] }))).toEqualTypeOf(plain)
