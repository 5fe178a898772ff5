import { createAuth } from "@latchkey/node"
import { createAuth as createFetchAuth } from "@latchkey/node/fetch"
import { createAuth as createLambdaAuth } from "@latchkey/node/lambda"
import type { AuthConfig, UserAccount } from "@latchkey/node"
import type {
  ALBHandler,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
} from "aws-lambda"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { expectTypeOf, test } from "vitest"

const config = {
  providers: [],
  callbacks: { session: async ({ session, token }) => ({ ...session, userId: token.sub ?? "" }) },
} satisfies AuthConfig

declare const req: IncomingMessage
declare const res: ServerResponse

test("the session has the type that the callback returns", async () => {
  const auth = createAuth(config)
  createServer(auth.handler(() => undefined))
  expectTypeOf((await auth.getSession(req))?.userId).toEqualTypeOf<string | undefined>()
  expectTypeOf((await auth.requireSession(req, res))?.userId).toEqualTypeOf<string | undefined>()
  expectTypeOf((await auth.update(req, res, {}))?.userId).toEqualTypeOf<string | undefined>()
})

test("so it has for fetch handlers, whose arguments are passed on", () => {
  const auth = createFetchAuth(config)
  const handler = auth.handler(async (request, env: { readonly KEY: string }) => {
    const { session, response } = await auth.requireSession(request)
    if (response !== undefined) return response
    expectTypeOf(session.userId).toEqualTypeOf<string>()
    const { error } = await auth.signIn(request, "github", { redirect: false })
    expectTypeOf(error?.type).toEqualTypeOf<string | undefined>()
    return env.KEY === "" ? auth.signOut(request) : auth.signIn(request)
  })
  expectTypeOf(handler).parameters.toEqualTypeOf<[Request, { readonly KEY: string }]>()
})

test("handlers have the types of AWS", () => {
  const auth = createLambdaAuth(config)
  const rest: APIGatewayProxyHandler = auth.handler(
    async (_request, event: APIGatewayProxyEvent) => new Response(event.path),
  )
  const http: APIGatewayProxyHandlerV2 = auth.handler(
    async (_request, event: APIGatewayProxyEventV2) => new Response(event.rawPath),
  )
  const url: LambdaFunctionURLHandler = auth.handler(async () => new Response())
  const balancer: ALBHandler = auth.handler(async () => new Response())
  expectTypeOf([rest, http, url, balancer]).toBeArray()
})

test("`account` takes a request", () => {
  expectTypeOf(createAuth(config).account(req, res)).toEqualTypeOf<UserAccount>()
  expectTypeOf(createFetchAuth(config).account(new Request("https://app.test"))).toEqualTypeOf<UserAccount>()
})
