import { nothing, toAuthRequest } from "../http/auth-request.js"
import { askedLevel } from "../http/step-up.js"
import type { AuthContext } from "../model/auth.js"
import type { Visitor } from "../model/http.js"
import { type StepUp, stepUpRoute } from "../model/step-up.js"

/** Whether the session of a visitor is recent and strong enough. */
export async function isSufficient(auth: AuthContext, visitor: Visitor, asked: StepUp): Promise<boolean> {
  const url = new URL(`${auth.basePath}/${stepUpRoute}`, "http://localhost")
  const route = { action: stepUpRoute, providerId: undefined }
  const request = toAuthRequest(auth, visitor, { url, method: "GET", route, body: nothing })
  return (await import("../signin/step-up.js")).isEnough(auth, request, askedLevel(asked))
}
