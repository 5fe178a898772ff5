import type { RequestEvent } from "@sveltejs/kit"
import { base } from "./base.js"

/** Auth.js has no account page, so an application may have a page of its own at that path. */
export function isOwnAccountPage({ route, url }: Pick<RequestEvent, "route" | "url">): boolean {
  const path = route.id?.replace(/\/\([^/]+\)/g, "")
  return path !== undefined && path.endsWith("/account") && url.pathname.replace(/\/$/, "") === base + path
}
