export { auth as proxy } from "@/auth"

/** `/members` is a static page, so only the proxy can protect it. */
export const config = { matcher: ["/members"] }
