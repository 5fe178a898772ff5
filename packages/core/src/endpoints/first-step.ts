import { toAuthRequest } from "../http/auth-request.js"
import { noBody } from "../http/body.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { MethodsStep } from "../model/flow.js"
import type { Visitor } from "../model/http.js"
import { signInPage } from "./pages.js"

export interface FirstStepOptions {
  /** Where the user goes after the sign-in. @default the home page */
  readonly callbackUrl?: string | undefined
  /** A code in the URL of your page, whose text to return as `error`. */
  readonly error?: string | undefined
}

/** What a sign-in page shows, with the cookies to set. */
export interface FirstStep {
  readonly step: MethodsStep
  readonly cookies: readonly SetCookie[]
}

/** The step that `GET signin` returns, for a sign-in page that server code renders. */
export async function firstStepFor(
  auth: AuthContext,
  visitor: Visitor,
  { callbackUrl, error }: FirstStepOptions = {},
): Promise<FirstStep> {
  const url = new URL(`${auth.basePath}/signin`, "http://localhost")
  for (const [name, value] of Object.entries({ callbackUrl, error }))
    if (value !== undefined) url.searchParams.set(name, value)
  const route = { action: "signin", providerId: undefined }
  const request = toAuthRequest(auth, visitor, { url, method: "GET", route, body: noBody, wantsFlow: true })
  const result = await signInPage(auth, request)
  const { methodsStepOf } = await import("../features/pages/flow/step.js")
  return { step: await methodsStepOf(auth, request, result), cookies: result.cookies }
}
