import { defineModule, type Module } from "@latchkey/core/module"
import { createAuth } from "@latchkey/node"
import { createAuth as createFetchAuth } from "@latchkey/node/fetch"
import { createAuth as createLambdaAuth } from "@latchkey/node/lambda"
import GitHub from "@latchkey/node/providers/github"
import { expectTypeOf } from "vitest"

interface Visits {
  of(userId: string): Promise<number>
}

const visits = () => defineModule<"visits", Visits>({ id: "visits", members: ["of"] })
const reserved = () => defineModule<"handler", Visits>({ id: "handler", members: ["of"] })
declare const widened: Module<string, Visits>
declare const silent: Module<"silent">

const plain = createAuth({ providers: [GitHub] })

// A module is a member of its own type, and the session keeps the type of the callback.
const auth = createAuth({
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
expectTypeOf(createAuth({ providers: [], modules: listed }).visits).toEqualTypeOf<Visits>()

// Without modules, and with modules whose ids aren't known or are taken, the result is as before.
expectTypeOf(createAuth({ providers: [GitHub], modules: [] })).toEqualTypeOf(plain)
expectTypeOf(createAuth({ providers: [GitHub], modules: [widened] })).toEqualTypeOf(plain)
expectTypeOf(createAuth({ providers: [GitHub], modules: [reserved()] })).toEqualTypeOf(plain)

// With a configuration function, the modules are the second argument.
const found = createAuth(() => ({ providers: [GitHub], callbacks: { session: () => ({ tenant: 7 }) } }), {
  modules: [visits()],
})
expectTypeOf(found.visits).toEqualTypeOf<Visits>()
expectTypeOf<Awaited<ReturnType<typeof found.getSession>>>().toEqualTypeOf<{ tenant: number } | null>()
expectTypeOf(createAuth(() => ({ providers: [GitHub] }))).toEqualTypeOf(plain)

// The other initializers of the package have the same configuration.
expectTypeOf(createFetchAuth({ providers: [], modules: [visits()] }).visits).toEqualTypeOf<Visits>()
expectTypeOf(createFetchAuth(() => ({ providers: [] }), { modules: [visits()] }).visits).toEqualTypeOf<Visits>()
expectTypeOf(createLambdaAuth({ providers: [], modules: [visits()] }).visits).toEqualTypeOf<Visits>()
expectTypeOf(createLambdaAuth(() => ({ providers: [] }), { modules: [visits()] }).visits).toEqualTypeOf<Visits>()
