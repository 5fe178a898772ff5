import { H3Auth, type H3AuthConfig, type H3AuthResult, type H3Event } from "@latchkey/h3"
import type { ConfigOrFunction, Module, ModuleOptions, WithMembers } from "@latchkey/core/integration"
import { keepOutOfCaches, type NodeResponse } from "@latchkey/core/node-http"
import type { JWT, Session } from "@latchkey/core/types"
import { contextKey, type PageAuth, type PageServer } from "./runtime/page.js"

export * from "@latchkey/h3"

/**
 * Creates what the server of a Nuxt application needs to sign users in. Name it `auth` in `server/utils/auth.ts`, and make
 * `auth.handler` a middleware in `server/middleware/auth.ts`.
 *
 * @example
 * ```ts
 * import { NuxtAuth } from "@latchkey/nuxt/server"
 * import GitHub from "@latchkey/nuxt/providers/github"
 *
 * export const auth = NuxtAuth({ providers: [GitHub] })
 * ```
 * @param config the configuration, or a function that returns it for an event
 * @param options the modules, if the configuration is a function
 */
export function NuxtAuth<
  T extends JWT = JWT,
  S = Session,
  Id extends string = string,
  K extends PropertyKey = never,
  const Mods extends readonly Module[] = readonly [],
>(
  config: ConfigOrFunction<H3AuthConfig<T, S>, [event: H3Event], Id, K, Mods>,
  options: ModuleOptions<Mods> = {},
): WithMembers<H3AuthResult<Awaited<S>, Id>, Mods> {
  const auth = H3Auth(config, options) as H3AuthResult<Awaited<S>, Id>
  const handler = (event: H3Event, next?: () => unknown) => {
    const server: PageServer = {
      page: (rendered) => authOfPage(auth, rendered as NitroEvent),
      requireSession: (rendered) => auth.requireSession(rendered as NitroEvent),
    }
    Object.assign(event.context, { [contextKey]: server })
    return auth.handler(event, next)
  }
  // h3 1 warns about handlers without this mark.
  const result = { ...auth, handler: Object.assign(handler, { __is_handler__: true }) }
  return result
}

interface NitroEvent extends H3Event {
  readonly context: {
    readonly cache?: unknown
    readonly _nitro?: { readonly routeRules?: { readonly isr?: unknown; readonly prerender?: unknown } }
  }
  readonly node: {
    readonly req: { readonly headers: Readonly<Record<string, unknown>> }
    readonly res: NodeResponse
  }
}

async function authOfPage(auth: H3AuthResult<unknown>, event: NitroEvent): Promise<PageAuth> {
  const { base: basePath, signIn: signInPage } = await auth.paths(event)
  if (isStored(event)) return { session: undefined, basePath, signInPage }
  const session = await auth.getSession(event)
  // What the session route would send to the browser.
  const sent: object | null = JSON.parse(JSON.stringify(session ?? null))
  // The page contains the session.
  if (sent !== null) keepOutOfCaches(event.node.res)
  return { session: sent, basePath, signInPage }
}

/** Whether other users get this response too. */
function isStored({ context, node }: NitroEvent): boolean {
  const { cache, _nitro: nitro } = context
  const { isr, prerender } = nitro?.routeRules ?? {}
  return Boolean(cache ?? isr ?? prerender) || "x-nitro-prerender" in node.req.headers
}
