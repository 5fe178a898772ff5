import type { Answer } from "../provider/messages.js"

export function json(status: number, body: Answer["body"]): Response {
  return Response.json(body, { status })
}

export function html(): Response {
  return new Response("<!doctype html><title>Sign in</title>", { headers: { "content-type": "text/html" } })
}

export function redirect(status: 302 | 307, location: string): Response {
  return new Response(null, { status, headers: { location } })
}

/** Streams 8 MB without a `Content-Length` header. */
export function oversized(): Response {
  const chunk = new TextEncoder().encode(" ".repeat(1 << 20))
  let remaining = 8
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (remaining === 0) controller.close()
      else controller.enqueue(chunk)
      remaining -= 1
    },
  })
  return new Response(body, { headers: { "content-type": "application/json" } })
}

export function unreachable(): never {
  throw new TypeError("fetch failed")
}

/** A host of the attacker that receives redirected requests. */
export const collector = "https://evil.test/collect"
