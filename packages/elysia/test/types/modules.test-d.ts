import { defineModule, type Module } from "@latchkey/core/module"
import { latchkey, type WithMembers, type Auth } from "@latchkey/elysia"
import GitHub from "@latchkey/elysia/providers/github"
import { Elysia } from "elysia"
import { expectTypeOf } from "vitest"

interface Visits {
  of(userId: string): Promise<number>
}

const visits = () => defineModule<"visits", Visits>({ id: "visits", members: ["of"] })
const reserved = () => defineModule<"session", Visits>({ id: "session", members: ["of"] })
declare const widened: Module<string, Visits>

const config = {
  providers: [GitHub],
  callbacks: { session: () => ({ role: "admin" as const }) },
}

// A module is a member of `auth`, and the session keeps the type of the callback.
new Elysia().use(latchkey({ ...config, modules: [visits()] })).get("/", async ({ auth }) => {
  expectTypeOf(auth.visits).toEqualTypeOf<Visits>()
  expectTypeOf(await auth.session()).toEqualTypeOf<{ role: "admin" } | null>()
})

// With a configuration function, the modules are the second argument.
new Elysia().use(latchkey(() => config, { modules: [visits()] })).get("/", async ({ auth }) => {
  expectTypeOf(auth.visits).toEqualTypeOf<Visits>()
  expectTypeOf(await auth.session()).toEqualTypeOf<{ role: "admin" } | null>()
})

// Without modules, and with modules whose ids aren't known or are taken, the result is as before.
expectTypeOf(latchkey({ ...config, modules: [] })).toEqualTypeOf(latchkey(config))
type Plain = Auth<{ role: "admin" }, "github">
expectTypeOf<WithMembers<Plain, [typeof widened]>>().toEqualTypeOf<Plain>()
expectTypeOf<WithMembers<Plain, [ReturnType<typeof reserved>]>>().toEqualTypeOf<Plain>()
