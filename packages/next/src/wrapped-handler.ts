import type { Session } from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"

/** The request that `auth` passes to the function it wraps. */
export interface NextAuthRequest<S = Session> extends NextRequest {
  /** The session, or `null` if the visitor isn't signed in. */
  // Not readonly: TypeScript narrows a readonly property through `const isSignedIn = !!request.auth`, and next-auth doesn't.
  auth: S | null
}

/** The function that `auth` wraps. */
export type WrappedHandler = (request: NextAuthRequest<unknown>, context: unknown) => unknown
