import { AstroAuth, type UserAccount } from "@latchkey/astro"
import type { APIContext, APIRoute, AstroGlobal, MiddlewareHandler } from "astro"
import type { defineAction } from "astro/actions/runtime/entrypoints/server.js"
import { expectTypeOf } from "vitest"

declare const page: AstroGlobal
declare const context: APIContext
declare const define: typeof defineAction

const auth = AstroAuth({
  providers: [],
  callbacks: { session: ({ session }) => ({ ...session, tenant: 7 }) },
})

// What the session callback adds reaches pages and endpoints.
expectTypeOf((await auth.getSession(page))?.tenant).toEqualTypeOf<number | undefined>()
const session = await auth.requireSession(context)
if (!(session instanceof Response)) expectTypeOf(session.tenant).toEqualTypeOf<number>()

// They are what Astro expects.
expectTypeOf(auth.onRequest).toExtend<MiddlewareHandler>()
expectTypeOf(auth.GET).toExtend<APIRoute>()
expectTypeOf(await auth.signIn(page, "github")).toEqualTypeOf<Response>()
expectTypeOf(await auth.csrfToken(page)).toEqualTypeOf<string>()
expectTypeOf((await auth.signOut(page, { redirect: false })).to).toEqualTypeOf<string>()

const { data } = await auth.actions(define).signIn(new FormData())
expectTypeOf(data?.to).toEqualTypeOf<string | undefined>()

expectTypeOf(auth.account(page)).toEqualTypeOf<UserAccount>()
expectTypeOf(auth.account(context)).toEqualTypeOf<UserAccount>()
