import {
  createAuth,
  ExpressAuth,
  type ExpressAuthConfig,
  getSession,
  type Session,
  type UserAccount,
} from "@latchkey/express"
import express, { type Request, type Response } from "express"
import { expectTypeOf, test } from "vitest"

const config = {
  providers: [],
  callbacks: { session: async ({ session, token }) => ({ ...session, userId: token.sub ?? "" }) },
} satisfies ExpressAuthConfig

type Typed = Session & { userId: string }

declare const req: Request
declare const res: Response

test("the session has the type that the callback returns", async () => {
  const auth = createAuth(config)
  expectTypeOf(await auth.getSession(req, res)).toExtend<Typed | null>()
  expectTypeOf(await getSession(req, config, res)).toExtend<Typed | null>()
  expectTypeOf(await auth.update(req, res, {})).toExtend<Typed | null>()
  expectTypeOf((await auth.getSession(req))?.userId).toEqualTypeOf<string | undefined>()
})

test("so has `res.locals.session` behind the middleware", () => {
  const auth = createAuth(config)
  const app = express()
  app.get("/", auth.session, (_req, { locals }) => {
    expectTypeOf(locals.session?.userId).toEqualTypeOf<string | undefined>()
  })
  app.get("/account", auth.requireSession, (_req, { locals }) => {
    expectTypeOf(locals.session.userId).toEqualTypeOf<string>()
  })
})

test("and behind middleware that needs a recent sign-in", () => {
  const auth = createAuth(config)
  express().get("/transfer/:id", auth.requireSession({ maxAge: "5m", level: 2 }), (req, { locals }) => {
    expectTypeOf(locals.session.userId).toEqualTypeOf<string>()
    expectTypeOf(req.params.id).toEqualTypeOf<string>()
  })
  // @ts-expect-error there is no such unit
  void auth.requireSession({ maxAge: "5 minutes" })
})

test("the parameters and the body of a route keep their types", () => {
  const auth = createAuth(config)
  express().post("/users/:id", auth.requireSession, (req, _res) => {
    expectTypeOf(req.params.id).toEqualTypeOf<string>()
    expectTypeOf(req.body).toBeAny()
  })
})

test("the middleware fits wherever Express takes one", () => {
  const auth = createAuth({ providers: [] })
  express().use("/auth", ExpressAuth(config)).use(auth.routes, auth.session, auth.protect)
  express.Router().use(auth.requireSession)
})

test("`account` takes the request and the response of a route", () => {
  expectTypeOf(createAuth(config).account(req, res)).toEqualTypeOf<UserAccount>()
})
