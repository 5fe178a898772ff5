import { nameIn } from "@latchkey/core/session-reader"
import { cookies, headers } from "next/headers.js"
import type { NextRequest } from "next/server.js"

/** A call in a Server Component, Server Action or Route Handler, or a request for the auth routes. */
export interface NextEvent {
  readonly headers: Headers
  /** The cookies now. `headers` still has those the browser sent, even after an action changed one. */
  readonly cookie?: string
  /** `undefined` where no cookie can be set. */
  readonly jar?: CookieJar | undefined
  /** Path and query of the page, as the browser sees them. */
  readonly page?: string | undefined
  readonly request?: NextRequest
}

type CookieJar = Pick<Awaited<ReturnType<typeof cookies>>, "getAll" | "set">

/** @throws outside a request, and during a build to mark a page as dynamic. Next.js needs these errors: don't catch them. */
export async function currentEvent(): Promise<NextEvent> {
  const given = await headers()
  const jar = await cookieJar()
  return { headers: given, cookie: cookiesNow(given.get("cookie") ?? "", allIn(jar)), jar }
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

/** In a test, the jar may only set cookies. */
function allIn(jar: Partial<CookieJar> | undefined): readonly JarCookie[] {
  return jar?.getAll?.() ?? []
}

/**
 * `undefined` in a test that mocks `headers` alone. A mock of vitest throws when it's asked for anything else. If only `cookies()`
 * throws, as in a test outside a request, reading works.
 */
async function cookieJar(): Promise<CookieJar | undefined> {
  try {
    if (typeof cookies !== "function") return undefined
  } catch {
    return undefined
  }
  try {
    return await cookies()
  } catch (error) {
    return {
      getAll: () => [],
      set: () => {
        throw error
      },
    }
  }
}

/** Redirects by throwing, which ends the render, action or handler. */
export async function navigate(to: string): Promise<never> {
  // A dynamic import, because middleware includes this file and never redirects this way.
  const { redirect } = await import("#redirect")
  return redirect(to)
}
