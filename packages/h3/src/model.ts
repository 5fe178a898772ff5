import type { IncomingMessage, ServerResponse } from "node:http"

/** An event of h3 1 or 2. Nitro 2 and Nuxt have version 1, Nitro 3 has version 2. */
export interface H3Event {
  readonly context: object
}

export interface NodeEvent {
  readonly context: { readonly clientAddress?: string; readonly cloudflare?: Platform }
  readonly method: string
  readonly path: string
  readonly node: {
    readonly req: IncomingMessage & { readonly originalUrl?: string; readonly __unenv__?: unknown }
    readonly res: ServerResponse
  }
  readonly _requestBody?: unknown
}

export interface WebEvent {
  readonly context: object
  readonly req: Request & { readonly ip?: string; readonly runtime?: { readonly cloudflare?: Platform } }
  readonly res: { readonly headers: Headers; readonly errHeaders?: Headers }
}

interface Platform {
  readonly env?: Readonly<Record<string, unknown>>
}
