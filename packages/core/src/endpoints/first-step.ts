import { AuthError } from "../errors.js"
import { nothing, toAuthRequest } from "../http/auth-request.js"
import type { AuthContext } from "../model/auth.js"
import type { FirstStep } from "../model/built-in-pages.js"
import type { Visitor } from "../model/http.js"

export interface FirstStepOptions {
  /** Where the user goes after the sign-in. @default the home page */
  readonly callbackUrl?: string | undefined
  /** A code in the URL of your page, whose text to return as `error`. */
  readonly error?: string | undefined
}

/** The step that `GET signin` returns, for a sign-in page that server code renders. */
export async function firstStepFor(
  auth: AuthContext,
  visitor: Visitor,
  { callbackUrl, error }: FirstStepOptions = {},
): Promise<FirstStep> {
  const { pages } = auth.features
  if (pages === undefined) throw new AuthError("There are no steps without the built-in pages. Write your own page")
  const url = new URL(`${auth.basePath}/signin`, "http://localhost")
  for (const [name, value] of Object.entries({ callbackUrl, error }))
    if (value !== undefined) url.searchParams.set(name, value)
  const route = { action: "signin", providerId: undefined }
  const request = toAuthRequest(auth, visitor, { url, method: "GET", route, body: nothing, wantsFlow: true })
  return pages.firstStep(auth, request)
}
