import { defineModule, type Module } from "@latchkey/core/module"
import { AstroAuth } from "@latchkey/astro"
import GitHub from "@latchkey/astro/providers/github"
import { expectTypeOf } from "vitest"

interface Visits {
  of(userId: string): Promise<number>
}

const visits = () => defineModule<"visits", Visits>({ id: "visits", members: ["of"] })
const reserved = () => defineModule<"actions", Visits>({ id: "actions", members: ["of"] })
declare const widened: Module<string, Visits>
declare const silent: Module<"silent">

const plain = AstroAuth({ providers: [GitHub] })

// A module is a member of its own type, and the session keeps the type of the callback.
const auth = AstroAuth({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
  modules: [visits(), silent],
})
expectTypeOf(auth.visits).toEqualTypeOf<Visits>()
expectTypeOf<Awaited<ReturnType<typeof auth.getSession>>>().toExtend<{ readonly role: "admin" } | null>()
// @ts-expect-error it has no functions
void auth.silent
// A list that isn't in the configuration keeps the ids.
const listed = [visits()]
expectTypeOf(AstroAuth({ providers: [], modules: listed }).visits).toEqualTypeOf<Visits>()

// Without modules, and with modules whose ids aren't known or are taken, the result is as before.
expectTypeOf(AstroAuth({ providers: [GitHub], modules: [] })).toEqualTypeOf(plain)
expectTypeOf(AstroAuth({ providers: [GitHub], modules: [widened] })).toEqualTypeOf(plain)
expectTypeOf(AstroAuth({ providers: [GitHub], modules: [reserved()] })).toEqualTypeOf(plain)

// With a configuration function, the modules are the second argument.
const found = AstroAuth(() => ({ providers: [GitHub], callbacks: { session: () => ({ tenant: 7 }) } }), {
  modules: [visits()],
})
expectTypeOf(found.visits).toEqualTypeOf<Visits>()
expectTypeOf<Awaited<ReturnType<typeof found.getSession>>>().toEqualTypeOf<{ tenant: number } | null>()
expectTypeOf(AstroAuth(() => ({ providers: [GitHub] }))).toEqualTypeOf(plain)
