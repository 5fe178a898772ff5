import { toResponse } from "@latchkey/core/integration"
import { sendAnswer } from "@latchkey/core/node-http"
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next"
import type { NextRequest } from "next/server.js"
import { providersOf } from "./provider-config.js"
import type { IncomingRequest } from "./request.js"
import { serve } from "./serve.js"
import { sessionFor, sessionHere } from "./server-session.js"
import type { Anything, Awaitable, Session } from "./model.js"
import type { AuthOptions, CallbacksOptions } from "./types.js"

interface RouteHandlerContext {
  params: Awaitable<{ nextauth: string[] }>
}

/**
 * Makes the handler of the auth routes, for an API Route or a Route Handler, or answers one request.
 *
 * @example
 * ```ts
 * import NextAuth from "@latchkey/next-auth-4"
 * import GitHub from "@latchkey/next-auth-4/providers/github"
 *
 * const handler = NextAuth({ providers: [GitHub({ clientId: "id", clientSecret: "secret" })] })
 * export { handler as GET, handler as POST }
 * ```
 * @throws InvalidConfig for a provider of OAuth 1.0
 */
function NextAuth(options: AuthOptions): Anything
function NextAuth(req: NextApiRequest, res: NextApiResponse, options: AuthOptions): Anything
function NextAuth(req: NextRequest, res: RouteHandlerContext, options: AuthOptions): Anything
function NextAuth(...args: readonly Anything[]): Anything {
  if (args.length > 1) return answer(args[0], args[1], args[2])
  const [options] = args
  // A provider that can't work is found when the application starts, and not by its first user.
  providersOf(options)
  return async (req: Anything, res: Anything) => answer(req, res, options)
}

export default NextAuth

async function answer(req: Anything, res: Anything, options: AuthOptions): Promise<Response | undefined> {
  if (res?.params) {
    const { nextauth } = await res.params
    return toResponse(await serve(options, fromRouteHandler(req, nextauth)))
  }
  sendAnswer(await serve(options, fromApiRoute(req)), res)
  return undefined
}

/** What Next.js has parsed. */
function fromApiRoute({
  method = "GET",
  headers,
  cookies,
  body,
  query: { nextauth, ...query },
}: Anything): IncomingRequest {
  return { method, headers, cookies, query, body: fieldsIn(body), segments: [nextauth ?? []].flat() }
}

/** The body parser of Next.js makes text of a type that it doesn't know. */
function fieldsIn(body: unknown): Record<string, Anything> {
  if (typeof body === "string") return Object.fromEntries(new URLSearchParams(body))
  return typeof body === "object" && body !== null ? { ...body } : {}
}

function fromRouteHandler({ method, headers, url, body }: Request, segments: readonly string[] = []): IncomingRequest {
  const query = Object.fromEntries(new URL(url).searchParams)
  return { method, headers: Object.fromEntries(headers), query, stream: body, segments }
}

export type GetServerSessionOptions = Partial<Omit<AuthOptions, "callbacks">> & {
  callbacks?: Omit<AuthOptions["callbacks"], "session"> & {
    session?: (...args: Parameters<CallbacksOptions["session"]>) => Anything
  }
}

type GetServerSessionParams<O extends GetServerSessionOptions> =
  | [GetServerSidePropsContext["req"], GetServerSidePropsContext["res"], O]
  | [NextApiRequest, NextApiResponse, O]
  | [O]
  | []

type SessionFrom<O extends GetServerSessionOptions> = O["callbacks"] extends {
  session: (...args: Anything[]) => infer U
}
  ? U
  : Session

/**
 * Reads the session on the server: of a request, or, with the options alone, in a Server Component, Server Action or Route
 * Handler.
 *
 * @returns the session, or `null` if no user is signed in
 */
export async function getServerSession<O extends GetServerSessionOptions, R = SessionFrom<O>>(
  ...args: GetServerSessionParams<O>
): Promise<R | null> {
  const given: readonly Anything[] = args
  // The `session` callback of the application decides the type.
  return (
    given.length < 2 ? sessionHere(given[0] ?? {}) : sessionFor(given[0], given[1], given[2])
  ) as Promise<R | null>
}

/** @deprecated use {@link getServerSession} */
export async function unstable_getServerSession<O extends GetServerSessionOptions, R = SessionFrom<O>>(
  ...args: GetServerSessionParams<O>
): Promise<R | null> {
  return getServerSession<O, R>(...args)
}

declare global {
  namespace NodeJS {
    interface ProcessEnv {
      NEXTAUTH_URL?: string
      NEXTAUTH_SECRET?: string
      AUTH_SECRET?: string
      VERCEL?: "1"
    }
  }
}
