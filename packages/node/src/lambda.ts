import type { ConfigOrFunction, Env, Module, ModuleOptions, WithMembers } from "@latchkey/core/integration"
import type { JWT, Session } from "@latchkey/core/types"
import { type Auth as FetchAuth, createAuthFor, type Platform } from "./fetch.js"
import { type LambdaEvent, type LambdaResult, sourceIp, toRequest, toResult } from "./lambda-event.js"
import type { AuthConfig } from "./model.js"

export * from "./fetch.js"
export { type LambdaEvent, type LambdaResult, toRequest, toResult } from "./lambda-event.js"

/** What `createAuth()` returns. */
export interface Auth<S, Id extends string = string> extends Omit<FetchAuth<S, Id>, "handler"> {
  /**
   * Wraps the function that responds to requests: it answers the auth routes, and adds cookies to the other responses. `app` gets
   * the event as a web `Request`, followed by the event itself and the context.
   */
  handler<E extends LambdaEvent, C>(
    app: (request: Request, event: E, context: C) => Response | Promise<Response>,
  ): (event: E, context: C) => Promise<LambdaResult<E>>
}

/**
 * Creates a handler for the auth routes, and functions for sessions, for AWS Lambda behind an API Gateway (REST and HTTP APIs), a
 * function URL or a load balancer.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/node/lambda"
 * import GitHub from "@latchkey/node/providers/github"
 *
 * const auth = createAuth({ providers: [GitHub] })
 * export const handler = auth.handler(async (request) => {
 *   const { session, response } = await auth.requireSession(request)
 *   return response ?? new Response(`Hello ${session.user?.name}`)
 * })
 * ```
 * @param config the configuration, or a function that returns it for a request
 * @param options the modules, if the configuration is a function
 */
export function createAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<AuthConfig<T, S>, [request: Request, env: Env], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<Auth<Awaited<S>, Id>, Mods> {
  const addresses = new WeakMap<Request, string>()
  const platform: Platform = {
    remember: () => undefined,
    address: (request) => addresses.get(request),
    env: () => process.env,
  }
  const { handler, ...auth } = createAuthFor(config, platform, options) as FetchAuth<Awaited<S>, Id>
  const own: Pick<Auth<Awaited<S>, Id>, "handler"> = {
    handler: (app) => {
      const respond = handler(app)
      return async (event, context) => {
        const request = toRequest(event)
        const address = sourceIp(event)
        if (address !== undefined) addresses.set(request, address)
        return toResult(await respond(request, event, context), event)
      }
    },
  }
  return { ...auth, ...own }
}
