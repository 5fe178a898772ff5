/** The session can't be read, so it isn't known whether the visitor is signed in. */
export function unavailable(): Response {
  const message = "The session can't be checked now. Try again later."
  return Response.json({ message }, { status: 503, headers: ofOneUser })
}

/** A response of a route of the application depends on the cookies, so a cache must not serve it to others. */
export const ofOneUser = { "cache-control": "private, no-store", vary: "Cookie" } as const
