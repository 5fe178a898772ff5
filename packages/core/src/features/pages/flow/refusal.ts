import { languageOf } from "../../../i18n/language-of.js"
import type { AuthContext } from "../../../model/auth.js"
import type { ErrorStep } from "../../../model/flow.js"
import type { AuthRequest } from "../../../model/http.js"
import { noticeOf } from "../refusal.js"

/** Codes by status, for requests that no route answers. */
const codes: ReadonlyMap<number, string> = new Map([
  [404, "NotFound"],
  [405, "MethodNotAllowed"],
  [413, "RequestTooLarge"],
  [415, "UnsupportedMediaType"],
  [431, "TooManyCookies"],
  [500, "Configuration"],
])

/** What a flow gets if no route answers its request. */
export async function refusedStep(
  site: Pick<AuthContext, "basePath" | "i18n" | "logger">,
  request: Pick<AuthRequest, "headers" | "cookies"> & { readonly reason: string | undefined },
  status: number,
): Promise<ErrorStep> {
  const { messages } = await languageOf(site, { query: {}, ...request })
  const { reason } = request
  const error = {
    code: codes.get(status) ?? "InvalidRequest",
    message: noticeOf(messages, status).text,
    ...(status === 404 && reason !== undefined && { code: "InvalidProvider", reason }),
  }
  return { status: "error", error, url: `${site.basePath}/signin` }
}
