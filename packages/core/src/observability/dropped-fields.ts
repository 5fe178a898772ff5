import type { SessionContext } from "../model/auth.js"
import type { WarningCode } from "../model/logger.js"
import { stateOf } from "../primitives/state.js"
import { createThrottle } from "./throttle.js"

interface DroppedField {
  readonly code: Extract<WarningCode, "image-too-long" | "profile-field-dropped">
  /** The id of the provider. */
  readonly provider: string
  readonly field: "email" | "name" | "image"
  /** What happened and what to do, without the value. */
  readonly detail: string
}

type Warns = Pick<SessionContext, "site" | "logger" | "logSink">

const throttleOf = stateOf("dropped-fields", () => createThrottle({ maxListeners: 10 }))

/** Users choose these fields, so each is logged once for a provider. */
export function warnOfDropped(auth: Warns, { code, provider, field, detail }: DroppedField): void {
  if (throttleOf(auth).allows(`${code} ${field} ${provider}`, auth.logSink, 0)) auth.logger.warn(code, detail)
}
