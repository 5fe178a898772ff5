import type { Destination } from "@latchkey/core/integration"
import { preventCaching } from "@latchkey/core/server"
import { redirect, type RequestEvent } from "@sveltejs/kit"

/** By request, because SvelteKit copies the event before it calls an action. */
const refusals = new WeakMap<Request, Destination>()

/**
 * Redirects to where a sign-in or sign-out leads. `isRedirect: false` returns the URL instead.
 *
 * @throws AuthError if the sign-in was refused
 */
export function leave(event: RequestEvent, destination: Destination, isRedirect = true): never {
  if (destination.error !== undefined) {
    refusals.set(event.request, destination)
    throw destination.error
  }
  if (isRedirect) redirectTo(destination.to)
  // The type of the caller says what it returns.
  return destination.to as never
}

/** SvelteKit 3 asks for a permission to redirect to another site, such as a provider. SvelteKit 2 ignores it. */
export function redirectTo(url: string): never {
  redirect(303, url, { external: true })
}

/** If the application didn't catch the `AuthError` of a sign-in, the user sees the page that explains it instead of an error. */
export function explainRefusal(event: RequestEvent, failed: Response): Response {
  const refusal = refusals.get(event.request)
  if (refusal === undefined || failed.status < 500) return failed
  // The script of a form expects JSON.
  const isScript = event.request.headers.get("x-sveltekit-action") === "true"
  const response = isScript
    ? Response.json({ type: "redirect", status: 303, location: refusal.to })
    : new Response(null, { status: 303, headers: { location: refusal.to } })
  for (const cookie of failed.headers.getSetCookie()) response.headers.append("set-cookie", cookie)
  preventCaching(response.headers)
  return response
}
