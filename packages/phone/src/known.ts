import { nameOf } from "./codes.js"
import type { Context } from "./context.js"

const cookie = "known"

/** Seconds. Browsers keep no cookie longer than 400 days. */
const lasts = 400 * 86_400

/** Names the number with which someone has signed in here. Strangers who use up its messages don't keep them from theirs. */
export async function rememberBrowser({ seal, setCookie }: Context, number: string): Promise<void> {
  setCookie(cookie, await seal({ known: await nameOf(number) }, lasts), lasts)
}

export async function isKnownBrowser({ open, cookie: read }: Context, number: string): Promise<boolean> {
  const token = read(cookie)
  return token !== undefined && (await open(token))?.["known"] === (await nameOf(number))
}
