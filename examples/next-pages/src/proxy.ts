export { auth as proxy } from "@/auth"

/** Static, so that nothing but the proxy can guard it. */
export const config = { matcher: ["/members"] }
