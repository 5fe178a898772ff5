import { createAuth, type Session, type UserAccount } from "@latchkey/hono"
import { Hono } from "hono"
import { expectTypeOf, test } from "vitest"

const config = {
  providers: [],
  callbacks: {
    session: async ({ session, token }: { session: Session; token: { sub?: string } }) => ({
      ...session,
      userId: token.sub ?? "",
    }),
  },
}

test("`c.var.session` has the type that the callback returns", () => {
  const auth = createAuth(config)
  const app = new Hono().use(auth.routes)
  app.get("/", auth.session, (c) => {
    expectTypeOf(c.var.session?.userId).toEqualTypeOf<string | undefined>()
    return c.text("")
  })
  app.get("/account/:id", auth.requireSession, (c) => {
    expectTypeOf(c.var.session.userId).toEqualTypeOf<string>()
    expectTypeOf(c.req.param("id")).toEqualTypeOf<string>()
    return c.text("")
  })
})

test("so it has behind middleware that needs a recent sign-in", () => {
  const auth = createAuth(config)
  new Hono().get("/transfer/:id", auth.requireSession({ maxAge: "5m", level: 2 }), (c) => {
    expectTypeOf(c.var.session.userId).toEqualTypeOf<string>()
    expectTypeOf(c.req.param("id")).toEqualTypeOf<string>()
    return c.text("")
  })
  // @ts-expect-error there is no such unit
  void auth.requireSession({ maxAge: "5 minutes" })
})

test("a chained app has the type in all routes", () => {
  const auth = createAuth(config)
  const app = new Hono().use(auth.session).get("/", (c) => {
    expectTypeOf(c.var.session?.userId).toEqualTypeOf<string | undefined>()
    return c.json({ id: 1 })
  })
  expectTypeOf(app).not.toBeAny()
})

test("functions know it too, and `redirect: false` returns the destination", () => {
  const auth = createAuth(config)
  new Hono().post("/", auth.protect, async (c) => {
    expectTypeOf((await auth.getSession(c))?.userId).toEqualTypeOf<string | undefined>()
    expectTypeOf((await auth.update(c, {}))?.userId).toEqualTypeOf<string | undefined>()
    const { to, error } = await auth.signIn(c, "github", { redirect: false })
    expectTypeOf(to).toEqualTypeOf<string>()
    expectTypeOf(error?.type).toEqualTypeOf<string | undefined>()
    return auth.signIn(c)
  })
})

test("`account` takes the context of a route", () => {
  new Hono().get("/", (c) => {
    expectTypeOf(createAuth(config).account(c)).toEqualTypeOf<UserAccount>()
    return c.text("")
  })
})
