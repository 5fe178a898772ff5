import type { SetCookie } from "@latchkey/core/session-reader"
import type { SignInOptions } from "@latchkey/core/server"
import { cookies } from "next/headers.js"
import { navigate } from "./navigate.js"
import { caller } from "./request-session.js"
import { returnTarget } from "./return-target.js"
import type { Site } from "./site.js"

/** Parameters for the provider's authorization endpoint. */
export type AuthorizationParams = string | string[][] | Readonly<Record<string, string>> | URLSearchParams

/** What a server action is told: where to go, and fields for the provider. */
export type ActionOptions = FormData | ({ readonly redirectTo?: string; readonly redirect?: boolean } & SignInOptions)

/** spec/next.md §6 */
export async function signIn<S>(
  site: Site<S>,
  provider: string | undefined,
  options: ActionOptions,
  params: AuthorizationParams,
): Promise<string> {
  const who = await caller()
  const { redirect, redirectTo, ...fields } = fieldsOf(options)
  const target = redirectTo ?? returnTarget(site, who.headers)
  const engine = await site.engine()
  const query = Object.fromEntries(new URLSearchParams(params))
  const { to: next, cookies } = await engine.signIn(who, provider, { ...fields, redirectTo: target }, query)
  await keep(cookies)
  const to = isSignIn(site, next) ? withTarget(next, target) : next
  return redirect ? navigate(to) : to
}

/** Where one chooses how to sign in. */
function isSignIn<S>({ basePath }: Site<S>, url: string): boolean {
  return new URL(url).pathname === `${basePath}/signin`
}

function withTarget(url: string, callbackUrl: string): string {
  const page = new URL(url)
  page.searchParams.set("callbackUrl", callbackUrl)
  return page.href
}

/** spec/next.md §7 */
export async function signOut<S>(site: Site<S>, options: ActionOptions): Promise<string> {
  const who = await caller()
  const { redirect, redirectTo } = fieldsOf(options)
  const engine = await site.engine()
  const { to, cookies } = await engine.signOut(who, { redirectTo: redirectTo ?? returnTarget(site, who.headers) })
  await keep(cookies)
  return redirect ? navigate(to) : to
}

/** spec/next.md §7; `null`: nobody is signed in, or the callbacks refused. */
export async function update<S>(site: Site<S>, data: Readonly<Record<string, unknown>>): Promise<S | null> {
  const who = await caller()
  const engine = await site.engine()
  const { session, cookies } = await engine.update(who, data)
  await keep(cookies)
  return session
}

interface Fields extends SignInOptions {
  readonly redirect: boolean
  readonly redirectTo?: string
}

/** A form has only texts: "false" is one of them. */
function fieldsOf(options: ActionOptions): Fields {
  const given: Readonly<Record<string, unknown>> = options instanceof FormData ? Object.fromEntries(options) : options
  const { redirect, redirectTo, ...fields } = given
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(present),
    redirect: redirect !== false && redirect !== "false",
    ...(typeof redirectTo === "string" && redirectTo !== "" ? { redirectTo } : {}),
  }
}

async function keep(given: readonly SetCookie[]): Promise<void> {
  if (given.length === 0) return
  const jar = await cookies()
  for (const { name, value, options } of given) {
    const { encode: _, sameSite, ...attributes } = options
    jar.set(name, value, { ...defined(attributes), ...(sameSite === undefined ? {} : { sameSite }) })
  }
}

function defined<T extends object>(values: T): { [key in keyof T]: Exclude<T[key], undefined> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [key in keyof T]: Exclude<T[key], undefined> }
}
