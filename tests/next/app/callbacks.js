import { SERVICES_URL } from "./env.js"

/** How often this process called the `session` callback. */
globalThis.sessionReads ??= 0

export function session({ session, token, user }) {
  globalThis.sessionReads += 1
  const { name, email } = token ?? user
  return {
    expires: session.expires,
    user: { name, email },
    id: token?.sub ?? user.id,
    ...(token?.color === undefined ? {} : { color: token.color }),
    ...(token?.refresh === undefined ? {} : { refresh: token.refresh }),
  }
}

export async function jwt({ token, user, trigger, session }) {
  // A refresh token that works once, for an access token that has already expired.
  if (user?.name === "refreshing") return { ...token, refresh: crypto.randomUUID(), stale: true }
  if (trigger === "update") return { ...token, color: session.color }
  return token.stale === true ? { ...token, refresh: await refreshed(token.refresh), stale: false } : token
}

async function refreshed(refresh) {
  const response = await fetch(`${SERVICES_URL}/refresh`, { method: "POST", body: refresh })
  return response.ok ? response.text() : "reused"
}
