import { JWTSessionError } from "../errors.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { JWT } from "../model/session.js"

export function withClaims(live: LiveSession, claims: JWT): LiveSession {
  return { ...live, content: { ...sealedContent(live), claims } }
}

export function sealedContent({ content }: LiveSession): Extract<LiveSession["content"], { kind: "sealed" }> {
  if (content.kind !== "sealed") throw new JWTSessionError("A database session reached the jwt strategy")
  return content
}

export function sidOf(live: LiveSession): string | undefined {
  const { sid } = sealedContent(live).claims
  return typeof sid === "string" ? sid : undefined
}
