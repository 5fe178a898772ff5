import { observers } from "#telemetry"
import { defineModule, type Module } from "@latchkey/core/module"
import type { TelemetryOptions } from "./otel-types.js"

export type {
  Attributes,
  Counter,
  Histogram,
  Meter,
  Metrics,
  Span,
  SpanOptions,
  TelemetryOptions,
  Trace,
  Tracer,
} from "./otel-types.js"

/**
 * Spans for auth routes, and metrics of sign-ins, with OpenTelemetry. Pass `trace` and `metrics` of `@opentelemetry/api`.
 *
 * @example
 * ```ts
 * import { telemetry } from "@latchkey/audit/otel"
 * import type { AuthConfig } from "@latchkey/core"
 * import GitHub from "@latchkey/core/providers/github"
 * import { metrics, trace } from "@opentelemetry/api"
 *
 * export const config: AuthConfig = { providers: [GitHub], modules: [telemetry({ trace, metrics })] }
 * ```
 */
export function telemetry(options: TelemetryOptions): Module<"telemetry"> {
  return defineModule<"telemetry">({ id: "telemetry", ...observers(options) })
}
