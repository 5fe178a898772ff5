import type { IncomingRequest } from "./request.js"
import type { Visit } from "./visit.js"

/** Where version 4 sends a browser whose sign-in or form was refused. */
export interface Refusal {
  /** Below the base path. */
  readonly path: string
  /** For a script that gets the URL as JSON. @default 200 */
  readonly status?: number
}

/** Errors of the engine whose code is the same in version 4, or has another name. */
const codes: ReadonlyMap<string, string> = new Map([
  ["EmailSignInError", "EmailSignin"],
  ["OAuthAccountNotLinked", "OAuthAccountNotLinked"],
  ["OAuthCallbackError", "OAuthCallback"],
  ["OAuthProfileParseError", "OAuthCallback"],
  ["InvalidCheck", "OAuthCallback"],
  ["OAuthSignInError", "OAuthSignin"],
  ["Verification", "Verification"],
])

/** `undefined`: nothing was refused, or the answer is that of the engine. */
export function refusalOf(visit: Visit): Refusal | undefined {
  const { failure, incoming } = visit
  const [action = ""] = incoming.segments
  if (failure === undefined || failure.type === "RateLimited") return undefined
  if (failure.type === "MissingCSRF") return { path: `${action === "signout" ? action : "signin"}?csrf=true` }
  return ofTheApplication(visit, action) ?? ofTheEngine(failure.type, incoming)
}

/** The message of what the application threw. */
function ofTheApplication({ thrownByAuthorize, thrownBySignIn }: Visit, action: string): Refusal | undefined {
  if (thrownByAuthorize !== undefined) return { ...errorPath(messageOf(thrownByAuthorize)), status: 401 }
  if (thrownBySignIn === undefined) return undefined
  // For a form that asks for an email link, version 4 shows the name of the error too.
  return errorPath((action === "signin" ? "Error: " : "") + messageOf(thrownBySignIn))
}

function ofTheEngine(type: string, { method, segments, query }: IncomingRequest): Refusal {
  const [action, provider = ""] = segments
  const isCallback = action === "callback"
  if (type === "CredentialsSignin") return { ...errorPath(type, { provider }), status: 401 }
  if (type === "AccessDenied") return { ...errorPath(type), ...(isCallback && method === "POST" && { status: 403 }) }
  const isDeclined = type === "OAuthCallbackError" && query["error"] !== undefined
  return errorPath((!isDeclined && codes.get(type)) || (isCallback ? "Callback" : "Signin"))
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

function errorPath(error: string, more: Readonly<Record<string, string>> = {}): Refusal {
  return { path: `error?${new URLSearchParams({ error, ...more })}` }
}
