import { isKnownCode } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Params } from "../model/http.js"
import { textOf } from "./auth-request.js"

const errorCode = /^\w{1,64}$/

/** A known error code. The page shows an unknown one as `Default`, so a link can't put words on it. */
export function errorIn({ query }: AuthRequest): string | undefined {
  const error = textOf(query["error"])
  if (error === undefined || !errorCode.test(error)) return undefined
  return isKnownCode(error) ? error : "Default"
}

/** The application's own codes, such as `NotInvited`. They're names, so a link can't put a text or a URL on the page. */
const ownCode = /^[A-Za-z][\w.-]{0,63}$/

/** For a page of the application, which may have codes of its own: its `signIn` callback can return `/auth/error?error=NotInvited`. */
export function errorForPage(auth: AuthContext, request: AuthRequest): Params {
  const given = textOf(request.query["error"])
  const isOwn = !auth.rules.declaredParams && given !== undefined && ownCode.test(given)
  const error = isOwn && !(given in {}) ? given : errorIn(request)
  return error === undefined ? {} : { error }
}
