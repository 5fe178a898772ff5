import type { LiveSession } from "./session-strategy.js"

/** The {@link Authentication} that a session carries, if this site wrote it. */
export function saidBy({ content, token }: Pick<LiveSession, "content" | "token">): unknown {
  return content.kind === "sealed"
    ? content.claims["authentication"]
    : decodeAuthentication(authenticationText(token) ?? "")
}

/** What a token says about the authentication of its user, as text. */
export function authenticationText(token: string): string | undefined {
  return /!([\w-]+)(?:\.[0-9a-z]{6,8}~?)?$/.exec(token)?.[1]
}

/** What `encodeAuthentication` wrote, or anyone else. */
function decodeAuthentication(text: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0))
    const [auth_time, amr, acr, idp_auth_time, tag, id] = JSON.parse(new TextDecoder().decode(bytes))
    const optional = {
      ...(acr !== null && { acr }),
      ...(idp_auth_time !== null && { idp_auth_time }),
      ...(id && { id }),
    }
    return { auth_time, amr, ...optional, tag }
  } catch {
    return undefined
  }
}
