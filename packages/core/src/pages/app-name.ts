import type { PageContext } from "./view.js"

/** How the pages call the application. */
export function appName({ request }: Pick<PageContext, "auth" | "request">): string {
  return new URL(request.origin).host
}
