import type { AuthRequest } from "../model/http.js"
import type { OpenedToken } from "../model/session-strategy.js"

type Opened = OpenedToken | Error | PromiseLike<OpenedToken>

const openings = new WeakMap<object, Map<string, Opened>>()

/**
 * Opens a sealed value of a request. Several steps of a flow look at the same cookie, which is opened once.
 *
 * @throws Error if none of the secrets sealed it for this purpose, or if it has expired
 */
export async function unseal(
  request: Pick<AuthRequest, "scheme">,
  purpose: string,
  token: string,
): Promise<OpenedToken> {
  const known = openings.get(request) ?? new Map<string, Opened>()
  openings.set(request, known)
  const key = `${purpose} ${token}`
  const opened = known.get(key) ?? attempt(() => request.scheme.sealer.open(purpose, token))
  known.set(key, opened)
  if (opened instanceof Error) throw opened
  return opened
}

function attempt(open: () => OpenedToken | PromiseLike<OpenedToken>): Opened {
  try {
    return open()
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause))
  }
}
