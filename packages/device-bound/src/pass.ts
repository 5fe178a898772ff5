import type { RequestContext } from "@latchkey/core/module"

/** Seconds. Browsers keep no cookie longer. */
export const longest: number = 400 * 86_400

/** In the browser's list of sessions, which it has for the whole site. A later sign-in replaces the session of the one before. */
export function sessionIdentifier(context: RequestContext): string {
  return context.url("")
}

/**
 * Sets the cookie that has to come with the session: for browsers without a key until the session ends, and with one for minutes.
 *
 * @param maxAge in seconds. `undefined`: as long as cookies last
 * @returns its `Set-Cookie` header
 */
export async function bind(context: RequestContext, id: string, maxAge: number = longest): Promise<string> {
  return context.setCookie("pass", await context.seal({ accompanies: id }, maxAge), maxAge)
}

/**
 * How long what follows from a challenge may last, in seconds. It's counted from when the challenge was made, so a proof that is sent again
 * gets nothing that lasts longer than what the first one got. That needs no memory of proofs.
 */
export function timeLeft(context: RequestContext, challenge: Readonly<Record<string, unknown>> | null): number {
  const end = challenge?.["exp"]
  return typeof end === "number" ? end - Math.floor(context.now() / 1000) : 0
}
