import type { SafeUrl } from "../model/http.js"

/** For a page or route of the application that needs a session. Without a sign-in page to go to, it answers a program. */
export function signInRequired(to?: SafeUrl): Response {
  // A 303 makes a form POST a GET at the sign-in page.
  if (to !== undefined) return new Response(null, { status: 303, headers: { ...ofOneUser, location: to } })
  return Response.json({ message: "You need to sign in." }, { status: 401, headers: ofOneUser })
}

/** The session can't be read, so it isn't known whether the visitor is signed in. */
export function unavailable(): Response {
  const message = "The session can't be checked now. Try again later."
  return Response.json({ message }, { status: 503, headers: ofOneUser })
}

/** A response of a route of the application depends on the cookies, so a cache must not serve it to others. */
const ofOneUser = { "cache-control": "private, no-store", vary: "Cookie" } as const
