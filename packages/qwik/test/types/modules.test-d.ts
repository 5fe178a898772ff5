import type { RequestEventCommon } from "@qwik.dev/router"
import { defineModule, type Module } from "@latchkey/core/module"
import { QwikAuth$ } from "@latchkey/qwik"
import GitHub from "@latchkey/qwik/providers/github"
import { expectTypeOf } from "vitest"

interface Visits {
  of(userId: string): Promise<number>
}

const visits = () => defineModule<"visits", Visits>({ id: "visits", members: ["of"] })
declare const widened: Module<string, Visits>

// The configuration function returns the modules, so a request has their members.
const auth = QwikAuth$(() => ({
  providers: [GitHub],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
  modules: [visits()],
}))
expectTypeOf(auth.modules).toEqualTypeOf<(ev: RequestEventCommon) => Promise<{ readonly visits: Visits }>>()
expectTypeOf(auth.useSession().value?.role).toEqualTypeOf<"admin" | undefined>()

const { modules } = QwikAuth$(async () => ({ providers: [GitHub], modules: [widened] }))
expectTypeOf(modules).returns.resolves.not.toHaveProperty("visits")
