import {
  type AppSession,
  type AuthRedirect,
  type AuthService,
  type Destination,
  type LatchkeyConfig,
  LatchkeyModule,
  type Session,
  type UserAccount,
} from "@latchkey/nestjs"
import GitHub from "@latchkey/nestjs/providers/github"
import type { DynamicModule } from "@nestjs/common"
import type { IncomingMessage } from "node:http"
import { expectTypeOf } from "vitest"

const config = {
  providers: [GitHub],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "admin" }),
    session: async ({ session }) => ({ ...session, role: "admin" as const }),
  },
} satisfies LatchkeyConfig

declare module "@latchkey/nestjs" {
  interface Register {
    config: typeof config
  }
}

// The session has what the callback returns.
expectTypeOf<AppSession["role"]>().toEqualTypeOf<"admin">()
expectTypeOf<AppSession>().toExtend<Session>()

expectTypeOf(LatchkeyModule.forRoot(config)).toEqualTypeOf<DynamicModule>()
LatchkeyModule.forRootAsync({ inject: ["SECRET"], useFactory: (secret: string) => ({ ...config, secret }) })
// @ts-expect-error no such option
LatchkeyModule.forRoot({ ...config, provider: [] })

export async function calls(auth: AuthService, request: IncomingMessage): Promise<void> {
  expectTypeOf(await auth.getSession(request)).toEqualTypeOf<AppSession | null>()
  expectTypeOf(await auth.update(request, { user: { name: "Ada" } })).toEqualTypeOf<AppSession | null>()
  expectTypeOf(await auth.signIn(request, "github", { redirectTo: "/" })).toEqualTypeOf<AuthRedirect>()
  expectTypeOf(await auth.signIn(request, undefined, { redirect: false })).toEqualTypeOf<Destination>()
  expectTypeOf(await auth.signOut(request, { redirect: false })).toEqualTypeOf<Destination>()
  expectTypeOf(await auth.requireSession(request)).toEqualTypeOf<AppSession>()
  expectTypeOf(await auth.csrfToken(request)).toBeString()
  expectTypeOf(await auth.signOut({ raw: request }, { redirectTo: "/" })).toEqualTypeOf<AuthRedirect>()
}

expectTypeOf<ReturnType<AuthService["account"]>>().toEqualTypeOf<UserAccount>()
