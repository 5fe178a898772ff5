import {
  createIntegration,
  defined,
  fieldsIn,
  type Framework,
  type Integration,
  originFromHost,
  type SignInInput,
  type SignOutOptions,
} from "@latchkey/core/integration"
import type { AuthConfig } from "@latchkey/core/types"
import type { ActionOptions, Actions, Instance } from "./instance.js"
import { currentEvent, navigate, type NextEvent } from "./request.js"
import { assertPage, currentPath } from "./session.js"
import { defaultCallbackUrl, ownUrl, withBasePath } from "./urls.js"

/** What needs the engine. Middleware leaves this file out. */
export function createActions<S>(config: AuthConfig, instance: Instance<S>): Actions<S> {
  // The engine doesn't look into what callbacks return.
  const auth = createIntegration(config, frameworkOf(instance)) as unknown as Integration<NextEvent, S>
  return {
    ...auth,
    // With `isMounted`, each request has a response.
    handle: async (event) => (await auth.handle(event)) ?? new Response(null, { status: 404 }),
    async signIn(event, provider, options, params) {
      const { redirect, redirectTo = defaultCallbackUrl(instance, event.headers), ...fields } = parseOptions(options)
      const { to } = await auth.signIn(event, provider, { ...fields, redirectTo }, params)
      const url = isSignInRoute(instance, to) ? withCallbackUrl(to, redirectTo) : to
      return redirect ? navigate(url) : url
    },
    async signOut(event, options) {
      const { redirect, redirectTo = defaultCallbackUrl(instance, event.headers), scope } = parseOptions(options)
      const { to } = await auth.signOut(event, { redirectTo, scope: scope as SignOutOptions["scope"] })
      return redirect ? navigate(to) : to
    },
    async recent(session, asked, redirectTo) {
      const page = redirectTo ?? (await currentPath(instance)) ?? `${instance.nextBasePath}/`
      const refusal = await auth.stepUp({ ...(await currentEvent()), page }, asked, session !== null)
      if (session !== null && refusal === undefined) return session
      await assertPage()
      return navigate((refusal?.to ?? "").slice(instance.nextBasePath.length))
    },
    guarded: (asked, handler) => async (request, context) => {
      const { pathname, search } = ownUrl(instance, request)
      const event = { headers: request.headers, request, page: pathname + search }
      const refusal = await auth.stepUp(event, asked, request.auth !== null)
      return refusal?.response ?? handler(request, context)
    },
  }
}

function frameworkOf({ basePath, nextBasePath }: Instance<unknown>): Framework<NextEvent> {
  return {
    basePath: `${nextBasePath}/api/auth`,
    env: () => process.env,
    read: ({ request, headers, cookie, page }) => ({
      // The engine treats each call as a POST.
      method: request?.method ?? "POST",
      url: new URL(request?.url ?? originFromHost(headers)),
      headers,
      cookie,
      page,
      // A component renders a page.
      ...(request === undefined && page !== undefined && { opensPage: true }),
    }),
    toRequest: ({ request }) => request && withBasePath(basePath, request),
    // The route file decides the path.
    isMounted: () => true,
    setCookies({ jar }, cookies) {
      for (const { name, value, options } of cookies) {
        const { encode: _, ...attributes } = options
        jar?.set(name, value, defined(attributes))
      }
    },
    // Next.js compares the origin of a Server Action with its host.
    forwardsForms: false,
  }
}

/** The engine returns this route if the provider is missing or unknown. */
function isSignInRoute<S>({ basePath }: Instance<S>, url: string): boolean {
  return new URL(url).pathname === `${basePath}/signin`
}

function withCallbackUrl(url: string, callbackUrl: string): string {
  const page = new URL(url)
  page.searchParams.set("callbackUrl", callbackUrl)
  return page.href
}

interface ParsedOptions extends SignInInput {
  readonly redirect: boolean
}

function parseOptions(options: ActionOptions): ParsedOptions {
  const { redirect, redirectTo, ...fields } = fieldsIn(options)
  return {
    ...defined(fields),
    // Form fields are strings.
    redirect: redirect === undefined || (redirect !== "false" && Boolean(redirect)),
    // An empty field counts: without a remembered callback URL, the user goes to the home page.
    ...(typeof redirectTo === "string" || redirectTo instanceof URL ? { redirectTo: String(redirectTo) } : {}),
  }
}
