import type { PageContext } from "./view.js"

/** Characters. More don't fit into a heading. */
const maxLength = 60

/** The name of the application: that of the theme, otherwise the host. */
export function appName({ auth, request }: Pick<PageContext, "auth" | "request">): string {
  const name: unknown = auth.theme.name
  const own = typeof name === "string" ? name.trim() : ""
  return own === "" || own.length > maxLength ? new URL(request.origin).host : own
}
