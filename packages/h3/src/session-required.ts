import { setHeaders } from "./event.js"
import type { H3Event } from "./model.js"

const texts: ReadonlyMap<number, string> = new Map([
  [303, "See Other"],
  [401, "Unauthorized"],
  [503, "Service Unavailable"],
])

/** The error of `requireSession`. Both versions of h3 know it by its shape, and don't log it. */
export class SessionRequired extends Error {
  // h3 1 reads this.
  static readonly __h3_error__ = true
  // h3 2 reads this.
  override readonly name = "HTTPError"
  readonly status: number
  readonly statusCode: number
  readonly statusText: string
  readonly statusMessage: string
  readonly headers: Headers
  readonly fatal = false
  readonly unhandled = false

  constructor(event: H3Event, response: Response) {
    super(response.status === 503 ? "The session couldn't be read." : "You need to sign in.")
    this.status = response.status
    this.statusCode = response.status
    this.statusText = texts.get(response.status) ?? ""
    this.statusMessage = this.statusText
    this.headers = new Headers(response.headers)
    // The body is written by h3.
    this.headers.delete("content-type")
    setHeaders(event, this.headers)
  }

  toJSON(): object {
    return { status: this.status, message: this.message }
  }
}
