import { nameIn, type Visitor } from "@latchkey/core/session-reader"
import { cookies, headers } from "next/headers.js"

/** The visitor in a Server Component, Server Action or Route Handler. */
export interface CurrentVisitor extends Visitor {
  /** The cookies now. `headers` still has those the browser sent, even after an action changed one. */
  readonly cookie: string
}

export type CookieJar = Awaited<ReturnType<typeof cookies>>

/** @throws outside a request, and during a build to mark a page as dynamic. Next.js needs these errors: don't catch them. */
export async function currentVisitor(): Promise<CurrentVisitor> {
  const given = await headers()
  return { headers: given, cookie: cookiesNow(given.get("cookie") ?? "", await allInJar()) }
}

interface JarCookie {
  readonly name: string
  readonly value: string
}

/** A cookie that an action deleted is in the jar with an empty value. In a test, the jar may lack cookies of the header. */
function cookiesNow(header: string, jar: readonly JarCookie[]): string {
  const names = new Set(jar.map(({ name }) => name))
  const others = header.split(";").filter((pair) => !names.has(nameIn(pair)))
  const present = jar.filter(({ value }) => value !== "")
  return [...present.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`), ...others].join(";")
}

/** The jar is only needed for what an action changed, so a test doesn't have to mock it. `headers()` throws outside a request. */
async function allInJar(): Promise<readonly JarCookie[]> {
  try {
    return (await cookieJar())?.getAll() ?? []
  } catch {
    return []
  }
}

/** `undefined` in a test that mocks `headers` alone. A mock of vitest throws when it's asked for anything else. */
export async function cookieJar(): Promise<CookieJar | undefined> {
  try {
    if (typeof cookies !== "function") return undefined
  } catch {
    return undefined
  }
  return cookies()
}

/** Redirects by throwing, which ends the render, action or handler. */
export async function navigate(to: string): Promise<never> {
  // A dynamic import, because middleware includes this file and never redirects this way.
  const { redirect } = await import("#redirect")
  return redirect(to)
}
