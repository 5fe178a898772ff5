import type { SetCookie } from "@latchkey/core/session-reader"
import type { SignInOptions } from "@latchkey/core/server"
import type { Instance } from "./instance.js"
import type { AuthorizationParams } from "./result.js"
import { cookieJar, currentVisitor, navigate } from "./session.js"
import { defaultCallbackUrl } from "./urls.js"

/** The options of a Server Action: a form, or an object. */
export type ActionOptions = FormData | ({ readonly redirectTo?: string; readonly redirect?: boolean } & SignInOptions)

export async function signIn<S>(
  instance: Instance<S>,
  provider: string | undefined,
  options: ActionOptions,
  params: AuthorizationParams,
): Promise<string> {
  const visitor = await currentVisitor()
  const { redirect, redirectTo = defaultCallbackUrl(instance, visitor.headers), ...fields } = parseOptions(options)
  const engine = await instance.engine()
  const query = Object.fromEntries(new URLSearchParams(params))
  const { to, cookies } = await engine.signIn(visitor, provider, { ...fields, redirectTo }, query)
  await setCookies(cookies)
  const url = isSignInRoute(instance, to) ? withCallbackUrl(to, redirectTo) : to
  return redirect ? navigate(url) : url
}

export async function signOut<S>(instance: Instance<S>, options: ActionOptions): Promise<string> {
  const visitor = await currentVisitor()
  const { redirect, redirectTo = defaultCallbackUrl(instance, visitor.headers) } = parseOptions(options)
  const engine = await instance.engine()
  const { to, cookies } = await engine.signOut(visitor, { redirectTo })
  await setCookies(cookies)
  return redirect ? navigate(to) : to
}

/** @returns the new session, or `null` if the visitor isn't signed in or a callback ended the session */
export async function update<S>(instance: Instance<S>, data: Readonly<Record<string, unknown>>): Promise<S | null> {
  const visitor = await currentVisitor()
  const engine = await instance.engine()
  const { session, cookies } = await engine.update(visitor, data)
  await setCookies(cookies)
  return session
}

export async function csrfToken<S>(instance: Instance<S>): Promise<string> {
  const engine = await instance.engine()
  const { token, cookies } = await engine.csrfToken(await currentVisitor())
  await setCookies(cookies)
  return token
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

interface ParsedOptions extends SignInOptions {
  readonly redirect: boolean
  readonly redirectTo?: string
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

export async function setCookies(given: readonly SetCookie[]): Promise<void> {
  if (given.length === 0) return
  const jar = await cookieJar()
  for (const { name, value, options } of given) {
    const { encode: _, sameSite, ...attributes } = options
    jar?.set(name, value, { ...withoutUndefined(attributes), ...(sameSite === undefined ? {} : { sameSite }) })
  }
}

function withoutUndefined<T extends object>(values: T): { [key in keyof T]: Exclude<T[key], undefined> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [key in keyof T]: Exclude<T[key], undefined> }
}
