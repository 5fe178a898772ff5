/**
 * For Server Components, Server Actions and Route Handlers. Bundlers of Next.js replace exactly this module name with
 * code for the server. Turbopack can't build the client code behind `next/navigation.js` into a Route Handler.
 */
export { redirect } from "next/navigation"
