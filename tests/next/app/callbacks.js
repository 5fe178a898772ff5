import { OUTSIDE } from "./env.js"

/** How often a session was presented to somebody in this process. */
globalThis.presented ??= 0

export function session({ session, token, user }) {
  globalThis.presented += 1
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
  // A provider's refresh token, which can be used once, of an access token that has expired already.
  if (user?.name === "refreshing") return { ...token, refresh: crypto.randomUUID(), stale: true }
  if (trigger === "update") return { ...token, color: session.color }
  return token.stale === true ? { ...token, refresh: await refreshed(token.refresh), stale: false } : token
}

async function refreshed(refresh) {
  const answer = await fetch(`${OUTSIDE}/refresh`, { method: "POST", body: refresh })
  return answer.ok ? answer.text() : "burnt"
}
