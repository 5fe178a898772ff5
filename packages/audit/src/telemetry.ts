import { type AuthError, isClientError } from "@latchkey/core/errors"
import type { Module, RunningRoute } from "@latchkey/core/module"
import type { SecurityEvent } from "@latchkey/core/types"
import type { Attributes, Metrics, TelemetryOptions, Trace } from "./otel-types.js"

const scope = "@latchkey/audit"

export function observers({
  trace,
  metrics,
  userIds = false,
}: TelemetryOptions): Required<Pick<Module, "around" | "on">> {
  const measure = metrics && instrumentsOf(metrics)
  return {
    async around(route, run) {
      const started = performance.now()
      const attributes = attributesOf(route)
      const error = await (trace === undefined ? run() : inSpan(trace, attributes, route, run))
      const seconds = (performance.now() - started) / 1000
      measure?.duration.record(seconds, { ...attributes, ...(error && { "error.type": error.type }) })
    },
    on: {
      security(event) {
        measure?.count(event)
        if (userIds && event.name === "sign-in" && event.subject.kind === "user")
          trace?.getActiveSpan()?.setAttribute("user.id", event.subject.id)
      },
    },
  }
}

/** The server's own instrumentation makes the span of the request, which is the parent. */
function inSpan(
  trace: Trace,
  attributes: Attributes,
  { action }: RunningRoute,
  run: () => Promise<AuthError | undefined>,
): Promise<AuthError | undefined> {
  // Not earlier, because the SDK may be registered after the configuration is loaded.
  return trace.getTracer(scope).startActiveSpan(`auth ${action}`, { attributes }, async (span) => {
    try {
      const error = await run()
      if (error !== undefined) span.setAttribute("error.type", error.type)
      if (error !== undefined && isServerFault(error)) span.setStatus({ code: 2 })
      return error
    } finally {
      span.end()
    }
  })
}

/** A wrong password is no error of the server, and doesn't make the span one. */
function isServerFault(error: AuthError): boolean {
  if (!isClientError(error)) return true
  return error.type !== "CredentialsSignin" && error.cause?.err !== undefined
}

function attributesOf({ method, action, providerId }: RunningRoute): Attributes {
  return {
    "http.request.method": method,
    "latchkey.action": action,
    ...(providerId !== undefined && { "latchkey.provider": providerId }),
  }
}

/** What OpenTelemetry advises for the duration of HTTP requests. Seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

function instrumentsOf(metrics: Metrics) {
  const meter = metrics.getMeter(scope)
  const signIns = meter.createCounter("latchkey.sign_ins", {
    description: "Sign-ins, by provider and outcome",
    unit: "{sign_in}",
  })
  const refusals = meter.createCounter("latchkey.refusals", {
    description: "Requests that were refused, because there were too many or because they came from another site",
    unit: "{request}",
  })
  const duration = meter.createHistogram("latchkey.request.duration", {
    description: "How long auth routes take",
    unit: "s",
    advice: { explicitBucketBoundaries: buckets },
  })
  return {
    duration,
    count({ name, outcome, subject, reason, data }: SecurityEvent) {
      if (name === "rate-limit.reached" || name === "csrf.refused") refusals.add(1, { "latchkey.reason": name })
      if (name !== "sign-in") return
      const tried = subject.kind === "attempt" ? subject.provider : undefined
      const provider = typeof data?.["provider"] === "string" ? data["provider"] : tried
      signIns.add(1, {
        "latchkey.outcome": outcome,
        ...(provider !== undefined && { "latchkey.provider": provider }),
        ...(reason !== undefined && { "error.type": reason }),
      })
    },
  }
}
