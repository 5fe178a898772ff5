import { type Access, type Destination, seeOther, withCookies } from "@latchkey/core/integration"
import { error, redirect, type RequestEvent } from "@sveltejs/kit"

/** A response instead of an error of SvelteKit. */
interface Replacement {
  readonly isFor: (status: number) => boolean
  readonly response: Response
}

/** The status of `@auth/sveltekit`. After a form, browsers follow it with `GET`, as for 303. */
const found = 302

/** By request, because SvelteKit copies the event before it calls an action. */
const replacements = new WeakMap<Request, Replacement>()

/**
 * Redirects to where a sign-in or sign-out leads. `isRedirect: false` returns the URL instead.
 *
 * @throws AuthError if the sign-in was refused. If the application doesn't catch it, the user gets to the page that explains it
 */
export function leave(event: RequestEvent, destination: Destination, isRedirect = true): never {
  if (destination.error !== undefined) {
    const response = redirection(event, destination.to)
    replacements.set(event.request, { isFor: (status) => status >= 500, response })
    throw destination.error
  }
  if (isRedirect) redirectTo(destination.to, found)
  // The type of the caller says what it returns.
  return destination.to as never
}

function redirection({ request }: RequestEvent, to: string): Response {
  // The script of a form expects JSON.
  const isScript = request.headers.get("x-sveltekit-action") === "true"
  if (isScript) return Response.json({ type: "redirect", status: found, location: to })
  return seeOther({ to })
}

/** Redirects to the sign-in page, or answers the client of an API with an error. */
export async function reject(
  event: RequestEvent,
  { to, response }: Extract<Access<unknown>, { readonly response: Response }>,
): Promise<never> {
  const { status } = response
  // SvelteKit would choose HTML for a client that doesn't say what it accepts.
  const isPage = "depends" in event
  replacements.set(event.request, { isFor: (failed) => !isPage && failed === status, response })
  if (to !== undefined) redirectTo(to)
  const { message }: { readonly message: string } = await response.clone().json()
  error(status, message)
}

/** SvelteKit 3 asks for a permission to redirect to another site, such as a provider. SvelteKit 2 ignores it. */
function redirectTo(url: string, status: 302 | 303 = 303): never {
  redirect(status, url, { external: true })
}

/** The response for a request whose sign-in was refused, or that has no session. No cache may store it. */
export function replaceError({ request }: RequestEvent, response: Response): Response {
  const own = replacements.get(request)
  if (own === undefined) return response
  if (!own.isFor(response.status)) return withCookies(response, [])
  const replaced = new Response(own.response.body, own.response)
  for (const cookie of response.headers.getSetCookie()) replaced.headers.append("set-cookie", cookie)
  return withCookies(replaced, [])
}
