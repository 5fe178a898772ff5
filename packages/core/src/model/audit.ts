import type { EventCallbacks } from "./callbacks.js"
import type { AuthRequest, Visitor } from "./http.js"
import type { ModuleEventName, SecurityData, SecurityEvent, SecurityEventName } from "./security-event.js"

/** What code that emits a security event says. Time, request and session come from {@link Audit}. */
export interface Happening extends Pick<SecurityEvent, "outcome" | "reason"> {
  readonly name: SecurityEventName | ModuleEventName
  /** The id of the user whom it concerns. @default the user of the session, unless the route names a provider */
  readonly user?: string | number | undefined
  /** @default the user of the session, or a visitor */
  readonly by?: "subject" | "application"
  readonly data?: SecurityData | undefined
}

/** What is known of a request so far. */
export interface Seen {
  readonly visitor?: Pick<Visitor, "headers" | "method" | "address" | "isAddressForgeable">
  readonly request?: Pick<AuthRequest, "method" | "path" | "providerId">
  readonly session?: {
    readonly userId: string | undefined
    /** The `sessionToken` of its row, or else its token. */
    readonly key: string
  }
}

/** Emits security events. It only exists if a handler listens, and there's one for each request. */
export interface Audit {
  /** For another request. Its events also emit the security events that follow from them. */
  forRequest(): { readonly audit: Audit; readonly events: Required<EventCallbacks> }
  sees(seen: Seen): void
  /** Never throws. */
  emit(happening: Happening): Promise<void>
  /** Emits what the error of a route means. */
  failed(error: Error, request: Pick<AuthRequest, "action" | "providerId" | "body">): Promise<void>
}
