import type { AuthConfig } from "@latchkey/core/types"
import type { ConfigQrl, RequestEventCommon } from "../../../packages/qwik/src/model.js"
import { onRequest } from "../../../packages/qwik/src/server.js"

/** Runs the server part of `QwikAuth$` with what it uses of a request event. */
export function qwikHandler(
  config: AuthConfig,
  variables: Readonly<Record<string, string>>,
): (request: Request) => Promise<Response> {
  // Qwik runs the function of a QRL when it's called.
  const configQrl = (async () => config) as unknown as ConfigQrl
  return async (request) => {
    const lines: string[] = []
    const event = {
      request,
      url: new URL(request.url),
      method: request.method,
      headers: new Headers(),
      platform: {},
      sharedMap: new Map(),
      clientConn: { ip: "203.0.113.7" },
      env: { get: (name: string) => variables[name] },
      cookie: { set: (name: string, value: string) => void lines.push(`${name}=${value}`) },
      send: (response: Response) => response,
    }
    try {
      await onRequest(configQrl, event as unknown as RequestEventCommon)
    } catch (sent) {
      if (sent instanceof Response) return withCookies(sent, lines)
      throw sent
    }
    return new Response("the page")
  }
}

function withCookies(response: Response, lines: readonly string[]): Response {
  const headers = new Headers(response.headers)
  for (const line of lines) headers.append("set-cookie", line)
  return new Response(response.body, { status: response.status, headers })
}
