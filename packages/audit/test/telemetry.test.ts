import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { telemetry, type TelemetryOptions } from "@latchkey/audit/otel"
import credentials from "@latchkey/core/providers/credentials"
import { defineModule, route } from "@latchkey/core/module"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider, frozenClock, visit } from "@latchkey/testing"
import { context, metrics, SpanStatusCode, trace } from "@opentelemetry/api"
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics"
import { TracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

const spans = new InMemorySpanExporter()
const tracing = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] })
const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  trace.setGlobalTracerProvider(tracing)
})
beforeEach(() => spans.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

const email = { id: "email", name: "Email", type: "email", sendVerificationRequest: () => undefined } as const
const planted = "ada.lovelace@secret-users.test"

/** Users sign in at a provider, or with their name. The database is down for Grace. */
async function siteOf(options: TelemetryOptions = { trace }, config: Partial<AuthConfig> = {}) {
  const clock = frozenClock()
  const op = createProvider({ clock, people: { ada: { sub: "ada", email: planted, name: "Ada" } } })
  const byName = credentials({
    credentials: { name: {} },
    authorize({ name }) {
      if (name === "grace") throw new Error("connection lost")
      return name === "ada" ? { id: "1", name: "Ada" } : null
    },
  })
  const all: AuthConfig = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
    url: "https://app.test/auth",
    providers: [op.provider(), byName, ...(config.adapter === undefined ? [] : [email])],
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    runtime: clock.runtime,
    ...config,
    modules: [telemetry(options), ...(config.modules ?? [])],
  }
  return { config: all, op, browser: await visit(all, { clock }) }
}

async function finished() {
  await tracing.forceFlush()
  return spans.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, status: status.code }))
}

describe("spans", () => {
  test("have names and attributes of few values, for sign-ins at a provider", async () => {
    const { browser, op } = await siteOf()
    await browser.signInWith(op, { as: "ada" })
    const of = (method: string, action: string) => ({
      name: `auth ${action}`,
      attributes: { "http.request.method": method, "latchkey.action": action, "latchkey.provider": "op" },
      status: SpanStatusCode.UNSET,
    })
    expect(await finished()).toContainEqual(of("POST", "signin"))
    expect(await finished()).toContainEqual(of("GET", "callback"))
  })

  test("say why a route failed, and are an error only if the server is at fault", async () => {
    const { browser } = await siteOf()
    await browser.signIn("credentials", { name: "grace-hopper" })
    await browser.signIn("credentials", { name: "grace" })
    const failed = (await finished()).filter(({ attributes }) => attributes["error.type"] !== undefined)
    expect(failed.map(({ name, attributes, status }) => [name, attributes["error.type"], status])).toEqual([
      ["auth callback", "CredentialsSignin", SpanStatusCode.UNSET],
      ["auth callback", "CallbackRouteError", SpanStatusCode.ERROR],
    ])
  })

  test("are children of the application's span, and parents of what the route calls", async () => {
    const tracer = trace.getTracer("app")
    const inner = defineModule({
      id: "inner",
      load: async () => ({
        routes: [
          route("GET", "", { session: "none" }, async ({ json }) => {
            await new Promise((resolve) => setImmediate(resolve))
            tracer.startSpan("query").end()
            return json({})
          }),
        ],
      }),
    })
    const { browser } = await siteOf({ trace }, { modules: [inner] })
    await tracer.startActiveSpan("request", async (span) => {
      await browser.fetch("/auth/inner")
      span.end()
    })
    await tracing.forceFlush()
    const [query, auth, request] = ["query", "auth inner", "request"].map((name) =>
      spans.getFinishedSpans().find((span) => span.name === name),
    )
    expect(request?.spanContext().spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(auth?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
    expect(query?.parentSpanContext?.spanId).toBe(auth?.spanContext().spanId)
    expect(new Set([query, auth, request].map((span) => span?.spanContext().traceId)).size).toBe(1)
  })

  test("have no secret, no email and no user id, unless they're asked for", async () => {
    const { browser, op } = await siteOf()
    await browser.signInWith(op, { as: "ada" })
    await browser.get(`/auth/callback/op?code=${planted}&state=gho_16C7e42F292c6912E7710c838347Ae178B4a`)
    await browser.get(`/auth/callback/${encodeURIComponent(planted)}`)
    const keys = new Set((await finished()).flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...keys].toSorted()).toEqual(["error.type", "http.request.method", "latchkey.action", "latchkey.provider"])
    const text = JSON.stringify(await finished())
    for (const each of [
      planted,
      encodeURIComponent(planted),
      "gho_",
      ...browser.cookies.map(({ value }) => value).filter((value) => value.length > 8),
    ])
      expect(text).not.toContain(each)
    spans.reset()
    const named = await siteOf({ trace, userIds: true })
    await named.browser.signIn("credentials", { name: "ada" })
    expect((await finished()).flatMap(({ attributes }) => attributes["user.id"] ?? [])).toEqual(["1"])
  })

  test("aren't made for sessions that server code reads", async () => {
    const { config } = await siteOf()
    await createServer(config).session({ headers: new Headers(), origin: "https://app.test" })
    expect(await finished()).toEqual([])
  })

  test("end if the route throws, and a tracer that throws breaks nothing", async () => {
    const broken = {
      getTracer() {
        throw new Error("no SDK")
      },
      getActiveSpan: () => undefined,
    }
    const { browser } = await siteOf({ trace: broken })
    await browser.signIn("credentials", { name: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("metrics", () => {
  test("count sign-ins by provider and outcome, refusals, and how long routes take", async () => {
    const reader = new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 2 ** 30 })
    const provider = new MeterProvider({ readers: [reader] })
    metrics.setGlobalMeterProvider(provider)
    const { browser, op } = await siteOf({ trace, metrics }, { adapter: memoryAdapter(), session: { strategy: "jwt" } })
    await browser.signInWith(op, { as: "ada" })
    await browser.signIn("credentials", { name: "grace-hopper" })
    for (let tries = 0; tries < 30; tries++) await browser.signIn("email", { email: planted })
    await browser.post("/auth/signout", { csrfToken: "forged" })
    await reader.forceFlush()
    const all = exported
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics: found }) => found)
    const points = (name: string) => all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
    expect(points("latchkey.sign_ins").map(({ attributes, value }) => [attributes, value])).toEqual(
      expect.arrayContaining([
        [{ "latchkey.outcome": "success", "latchkey.provider": "op" }, 1],
        [{ "latchkey.outcome": "failure", "latchkey.provider": "credentials", "error.type": "CredentialsSignin" }, 1],
      ]),
    )
    expect(points("latchkey.refusals").map(({ attributes }) => attributes["latchkey.reason"])).toEqual(
      expect.arrayContaining(["rate-limit.reached", "csrf.refused"]),
    )
    const duration = all.find(({ descriptor }) => descriptor.name === "latchkey.request.duration")
    expect(duration?.descriptor.unit).toBe("s")
    const callback = duration?.dataPoints.find(
      ({ attributes }) => attributes["latchkey.action"] === "callback" && attributes["latchkey.provider"] === "op",
    )
    expect(callback?.value).toMatchObject({ count: 1, buckets: { boundaries: expect.arrayContaining([0.005, 10]) } })
    expect(JSON.stringify(all)).not.toContain(planted)
    await provider.shutdown()
    metrics.disable()
  })
})
