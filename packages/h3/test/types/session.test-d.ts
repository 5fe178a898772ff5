import { H3Auth, type SessionRequired, type UserAccount } from "@latchkey/h3"
import type { H3Event } from "h3"
import type { H3Event as H3Event1 } from "h3-1"
import { expectTypeOf } from "vitest"

declare const event: H3Event
declare const event1: H3Event1
declare const failure: SessionRequired

const auth = H3Auth({
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
})

// What the session callback adds reaches all functions, with the events of both majors.
expectTypeOf((await auth.getSession(event))?.tenant).toEqualTypeOf<number | undefined>()
expectTypeOf((await auth.requireSession(event1)).tenant).toEqualTypeOf<number>()
expectTypeOf((await auth.update(event1, {}))?.tenant).toEqualTypeOf<number | undefined>()

// `redirect` decides what a sign-in returns.
expectTypeOf(await auth.signIn(event, "github")).toEqualTypeOf<Response>()
expectTypeOf((await auth.signIn(event, "github", { redirect: false })).to).toEqualTypeOf<string>()
expectTypeOf(failure.status).toEqualTypeOf<number>()

expectTypeOf(auth.account(event)).toEqualTypeOf<UserAccount>()
expectTypeOf(auth.account(event1)).toEqualTypeOf<UserAccount>()
