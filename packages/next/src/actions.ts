import {
  createIntegration,
  type Framework,
  type Integration,
  originFromHost,
  type SetCookie,
  type SignInInput,
} from "@latchkey/core/integration"
import { readingFunctions } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"
import type { ActionOptions, Actions, Instance } from "./instance.js"
import { type CookieJar, cookieJar, type CurrentVisitor, navigate } from "./request.js"
import { defaultCallbackUrl, withBasePath } from "./urls.js"

/** A call of a Server Action or Route Handler, or a request for the auth routes. */
interface NextEvent extends Pick<CurrentVisitor, "headers"> {
  readonly cookie?: string
  readonly request?: NextRequest
  /** `undefined` where no cookie can be set. */
  readonly jar?: CookieJar | undefined
}

/** What needs the engine. Middleware leaves this file out. */
export function createActions<S>(config: AuthConfig, instance: Instance<S>): Actions<S> {
  // The engine doesn't look into what callbacks return.
  const auth = createIntegration(config, frameworkOf(instance)) as unknown as Integration<NextEvent, S>
  return {
    // With `isMounted`, each request has a response.
    handle: async (request) =>
      (await auth.handle({ headers: request.headers, request })) ?? new Response(null, { status: 404 }),
    async signIn(visitor, provider, options, params) {
      const { redirect, redirectTo = defaultCallbackUrl(instance, visitor.headers), ...fields } = parseOptions(options)
      const query = Object.fromEntries(new URLSearchParams(params))
      const { to } = await auth.signIn(await withJar(visitor), provider, { ...fields, redirectTo }, query)
      const url = isSignInRoute(instance, to) ? withCallbackUrl(to, redirectTo) : to
      return redirect ? navigate(url) : url
    },
    async signOut(visitor, options) {
      const { redirect, redirectTo = defaultCallbackUrl(instance, visitor.headers) } = parseOptions(options)
      const { to } = await auth.signOut(await withJar(visitor), { redirectTo })
      return redirect ? navigate(to) : to
    },
    update: async (visitor, data) => auth.update(await withJar(visitor), data),
    csrfToken: async (visitor) => auth.csrfToken(await withJar(visitor)),
    async account(visitor, name, args) {
      // A Server Component can't set cookies.
      const account = auth.account(readingFunctions.has(name) ? visitor : await withJar(visitor))
      return Reflect.apply(account[name], account, args)
    },
    revoke: auth.revoke,
    member: async (id, name, args) => auth.members()[id]?.[name]?.(...args),
  }
}

async function withJar(visitor: CurrentVisitor): Promise<NextEvent> {
  return { ...visitor, jar: await cookieJar() }
}

function frameworkOf({ basePath, nextBasePath }: Instance<unknown>): Framework<NextEvent> {
  return {
    basePath: `${nextBasePath}/api/auth`,
    env: () => process.env,
    read: ({ request, headers, cookie }) => ({
      // The engine treats each call as a POST.
      method: request?.method ?? "POST",
      url: new URL(request?.url ?? originFromHost(headers)),
      headers,
      cookie,
    }),
    toRequest: ({ request }) => request && withBasePath(basePath, request),
    // The route file decides the path.
    isMounted: () => true,
    setCookies: ({ jar }, cookies) => cookies.forEach((cookie) => setCookie(jar, cookie)),
    // Next.js compares the origin of a Server Action with its host.
    forwardsForms: false,
  }
}

function setCookie(jar: CookieJar | undefined, { name, value, options }: SetCookie): void {
  const { encode: _, sameSite, ...attributes } = options
  jar?.set(name, value, { ...withoutUndefined(attributes), ...(sameSite === undefined ? {} : { sameSite }) })
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
  const given: Readonly<Record<string, unknown>> = options instanceof FormData ? Object.fromEntries(options) : options
  const { redirect, redirectTo, ...fields } = given
  return {
    ...withoutUndefined(fields),
    // Form fields are strings.
    redirect: redirect === undefined || (redirect !== "false" && Boolean(redirect)),
    // An empty field counts: without a remembered callback URL, the user goes to the home page.
    ...(typeof redirectTo === "string" || redirectTo instanceof URL ? { redirectTo: String(redirectTo) } : {}),
  }
}

function withoutUndefined<T extends object>(values: T): { [key in keyof T]: Exclude<T[key], undefined> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [key in keyof T]: Exclude<T[key], undefined> }
}
