import type { Costs } from "./costs.js"
import type { Settings } from "./settings.js"

/** A request that reached the site, and its response. */
export interface Exchange {
  /** Those of the site at that time. */
  readonly settings: Settings
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly sent: string
  readonly status: number
  readonly answer: Headers
  readonly text: string
  readonly costs: Costs
}

export function setCookies({ answer }: Exchange): readonly string[] {
  return answer.getSetCookie()
}

/** Whether the response gives the browser a session, rather than none or the end of one. */
export function startsSession(exchange: Exchange): boolean {
  return setCookies(exchange).some((line) => /session-token[^=]*=[^;]/.test(line))
}

export function describe({ method, url, status, answer }: Exchange): string {
  const to = answer.get("location")
  return `${method} ${url.href} → ${status}${to === null ? "" : ` ${to}`}`
}
