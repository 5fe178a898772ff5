/** The result of `authorized` for each page below `/guarded`. */
const results = {
  true: () => true,
  false: () => false,
  undefined: () => undefined,
  null: () => null,
  zero: () => 0,
  text: () => "true",
  session: (auth) => auth,
  user: (auth) => auth?.user,
  rejects: () => Promise.reject(new Error("the callback rejects")),
  throws: () => {
    throw new Error("the callback throws")
  },
  response: () => new Response("not for you", { status: 403, headers: { "x-why": "not allowed" } }),
  elsewhere: (_, request) => Response.redirect(new URL("/plain", request.nextUrl)),
  itself: (_, request) => Response.redirect(request.nextUrl),
  relative: () => new Response(null, { status: 307, headers: { location: "/plain" } }),
  "signed-in": (auth) => auth !== null,
}

export function authorized({ auth, request }) {
  const { pathname } = request.nextUrl
  const [, area, name] = pathname.split("/")
  if (["private", "private-props", "dashboard"].includes(area)) return auth !== null
  if (area === "free") return false
  if (area === "guarded") return Object.hasOwn(results, name) && results[name](auth, request)
  // The auth routes and the sign-in page stay reachable.
  if (pathname.startsWith("/api/auth/")) return false
  if (area === "login") return request.nextUrl.searchParams.has("again") && Response.redirect(request.nextUrl)
  return true
}
