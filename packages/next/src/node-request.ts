import { addCookies, headersOf } from "@latchkey/core/node-http"
import type { SessionView } from "@latchkey/core/session-reader"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isRenewed } from "./forward.js"
import type { Site } from "./site.js"

const reads = new WeakMap<object, { readonly site: object; readonly view: Promise<SessionView<unknown>> }>()

/** The session for an API route or `getServerSideProps`; what is to be renewed is set on `res`, once. */
export async function pagesSession<S>(
  site: Site<S>,
  req: IncomingMessage,
  res: ServerResponse | undefined,
): Promise<S | null> {
  const known = reads.get(req)
  if (known?.site === site) return ((await known.view) as SessionView<S>).session
  const headers = headersOf(req.headers)
  const readOnly = res === undefined || isRenewed(headers)
  const view = site.reader.session({ headers, origin: originOf(req, headers) }, { readOnly })
  reads.set(req, { site, view })
  const { session, cookies } = await view
  if (res !== undefined) addCookies(res, cookies)
  return session
}

function originOf({ socket }: IncomingMessage, headers: Headers): string | undefined {
  const origin = `${"encrypted" in socket ? "https" : "http"}://${headers.get("host")}`
  return URL.canParse(origin) ? new URL(origin).origin : undefined
}
