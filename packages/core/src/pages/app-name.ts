import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"

export interface NamedSite {
  readonly auth: Pick<AuthContext, "theme">
  readonly request: Pick<AuthRequest, "origin">
}

/** Characters. More don't fit into a heading. */
const maxLength = 60

/** The name of the application: that of the theme, otherwise the host. */
export function appName({ auth, request }: NamedSite): string {
  const name: unknown = auth.theme.name
  const own = typeof name === "string" ? name.trim() : ""
  return own === "" || own.length > maxLength ? new URL(request.origin).host : own
}
