import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { redacted } from "../observability/blank.js"
import { secretNames } from "../observability/collect-secrets.js"
import { mayQuote, secretsInFlight } from "../observability/in-flight.js"
import { once } from "../primitives/awaitable.js"
import { withRequest } from "./auth-request.js"

/** The message of the `signInFailure` event. Its handler writes an audit log, so error and request have no secrets. */
export function failureMessage(
  { logger }: Pick<AuthContext, "logger">,
  cause: Error,
  request: AuthRequest,
): { readonly error: Error; readonly provider: string | undefined; readonly request: Request } {
  // The search for secrets takes longer than the sign-in, so it waits for a handler that reads the error.
  const error = once(() => logger.redacted(cause))
  const message = {
    provider: request.providerId,
    get error() {
      return error()
    },
  }
  return mayQuote(withRequest(message, withoutSecrets(request)), () => secretsInFlight(request))
}

/** What says who tried to sign in. Every other field may be a secret. */
const shownFields =
  /^(?:user|user_?name|name|login|e-?mail|account|tenant|org(?:ani[sz]ation)?|action|provider|callbackUrl|redirect|redirectTo|error|iss)$/i

function withoutSecrets(request: AuthRequest): AuthRequest {
  const headers = new Headers(request.headers)
  for (const name of request.headers.keys()) if (secretNames.test(name)) headers.delete(name)
  const url = new URL(request.path, request.origin)
  for (const name of new Set(url.searchParams.keys())) {
    if (!shownFields.test(name)) url.searchParams.set(name, redacted)
  }
  const body = Object.entries(request.body).map(([name, value]) => [name, shownFields.test(name) ? value : redacted])
  return { ...request, headers, path: url.pathname + url.search, body: Object.fromEntries(body) as AuthRequest["body"] }
}
