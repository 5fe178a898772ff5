import { defineModule } from "@latchkey/core/module"
import type { AppMembers, AppSession, AuthConfig } from "@latchkey/nestjs"
import type { AuthService } from "@latchkey/nestjs"
import { expectTypeOf } from "vitest"

interface Visits {
  of(userId: string): Promise<number>
}

const visits = () => defineModule<"visits", Visits>({ id: "visits", members: ["of"] })

const config = {
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, role: "admin" as const }) },
  modules: [visits()],
} satisfies AuthConfig

declare module "@latchkey/nestjs" {
  interface Register {
    config: typeof config
  }
}

// The modules of the registered configuration.
expectTypeOf<AuthService["modules"]["visits"]>().toEqualTypeOf<Visits>()
expectTypeOf<keyof AppMembers>().toEqualTypeOf<"visits">()
expectTypeOf<AppSession["role"]>().toEqualTypeOf<"admin">()
