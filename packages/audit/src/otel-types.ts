// The part of `@opentelemetry/api` that is used, so that applications without it need no types of it.

export type Attributes = Record<string, string>

export interface Span {
  setAttribute(key: string, value: string): unknown
  setStatus(status: { readonly code: 2 }): unknown
  end(): void
}

export interface SpanOptions {
  attributes: Attributes
}

export interface Tracer {
  startActiveSpan<Result>(name: string, options: SpanOptions, run: (span: Span) => Result): Result
}

export interface Trace {
  getTracer(name: string): Tracer
  getActiveSpan(): Span | undefined
}

export interface Counter {
  add(value: number, attributes: Attributes): void
}

export interface Histogram {
  record(value: number, attributes: Attributes): void
}

export interface InstrumentOptions {
  description: string
  unit: string
  advice?: { explicitBucketBoundaries: number[] }
}

export interface Meter {
  createCounter(name: string, options: InstrumentOptions): Counter
  createHistogram(name: string, options: InstrumentOptions): Histogram
}

export interface Metrics {
  getMeter(name: string): Meter
}

/** Options of `telemetry`. */
export interface TelemetryOptions {
  /** `trace` of `@opentelemetry/api`. @default no spans */
  readonly trace?: Trace | undefined
  /** `metrics` of `@opentelemetry/api`. @default no metrics */
  readonly metrics?: Metrics | undefined
  /** Whether the span of a sign-in has the id of the user, as `user.id`. @default false */
  readonly userIds?: boolean | undefined
}
