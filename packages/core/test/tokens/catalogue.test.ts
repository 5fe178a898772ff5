import { vault } from "@latchkey/core/tokens"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createServer } from "@latchkey/core/server"
import type { ProviderAccess } from "@latchkey/core/types"
import { captureLog, frozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { allFacts, type Facts, factsOf } from "../providers/facts.js"
import { given, load } from "../providers/provider.js"
import { simulateService } from "../providers/simulated-service.js"
import { secret } from "../account/setup.js"

interface Sent {
  readonly url: string
  readonly form: URLSearchParams
  readonly headers: Headers
}

/** The body with these fields, where the service has its tokens. */
function withFields(text: string, envelope: string | undefined, more: object): string {
  if (!text.trimStart().startsWith("{")) {
    const all = Object.entries({ ...Object.fromEntries(new URLSearchParams(text)), ...more })
    return new URLSearchParams(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))).toString()
  }
  const body: Record<string, unknown> = JSON.parse(text)
  let inner = body
  for (const name of envelope?.split(".") ?? []) inner = inner[name] as Record<string, unknown>
  Object.assign(inner, more)
  return JSON.stringify(body)
}

/** Signs in at the simulated service, which also sends and accepts refresh tokens. The facts don't say which services do. */
async function connected(facts: Facts) {
  const clock = frozenClock()
  const service = simulateService(facts, clock.now)
  const sent: Sent[] = []
  let latest = ""
  /** What the next responses have in addition. `undefined` takes a field away. */
  const next: { fields: Readonly<Record<string, unknown>> } = { fields: {} }
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const text = request.method === "POST" ? await request.clone().text() : ""
    const form = new URLSearchParams(text)
    if (form.get("grant_type") === "refresh_token") {
      sent.push({ url: request.url, form, headers: request.headers })
      const fields = { access_token: `access-${sent.length + 1}`, ...next.fields }
      return new Response(withFields(latest, facts.token.envelope, fields), {
        headers: { "content-type": latest.trimStart().startsWith("{") ? "application/json" : "text/plain" },
      })
    }
    const response = await service.fetch(request)
    const body = await response.text()
    if (!body.includes("access_token")) return new Response(body, response)
    latest = body
    return new Response(withFields(body, facts.token.envelope, { refresh_token: "refresh-1" }), response)
  }
  const adapter = memoryAdapter()
  const providers = [given(facts, await load(facts))]
  const log = captureLog()
  const config = { providers, adapter, secret, tokens: vault, logger: log.logger, trustHost: true } as const
  const runtime = { ...clock.runtime, fetch }
  const browser = await visit({ ...config, runtime }, { clock })
  await browser.signIn(facts.id)
  const asked = new URL(browser.location).searchParams
  const { answer, from } = service.consent(browser.location)
  await browser.follow(answer, from)
  const userId = adapter.rows().users[0]?.id ?? ""
  const token = () => createServer({ ...config, runtime }).token(facts.id, { userId })
  return { adapter, asked, clock, log, next, provider: providers[0], sent, token }
}

/** Also a token of a service that doesn't say how long it lives. */
async function expire({ adapter, clock }: Awaited<ReturnType<typeof connected>>): Promise<void> {
  const [record] = (await adapter.records.list("tokens.account", { limit: 1 })).records
  if (record === undefined) throw new Error("Nothing was kept")
  const data = JSON.stringify({ ...JSON.parse(record.data), expiresAt: clock.now() - 1 })
  await adapter.records.swap({ ...record, data }, new Date(clock.now()))
}

const providers = allFacts.filter(({ status }) => status !== "dead")

/** Its refresh request has the token in another field. It accepts no new applications. */
const withoutRefresh = "azure-devops"

test("a service whose refresh request isn't that of RFC 6749 needs the user's consent", async () => {
  const its = await connected(factsOf(withoutRefresh))
  await expire(its)
  expect(await its.token()).toMatchObject({ problem: "needs-consent" })
})

describe.each(providers.filter(({ module }) => module !== withoutRefresh))("$module", (facts) => {
  test("keeps its token, and renews it, whether the service rotates refresh tokens, and says when they expire", async () => {
    const its = await connected(facts)
    const errors = its.log.entries.filter(({ level }) => level === "error")
    expect([await its.token(), errors]).toMatchObject([{ account: expect.any(String) }, []])
    await expire(its)
    its.next.fields = { refresh_token: "refresh-2" }
    expect(await its.token()).toMatchObject({ accessToken: "access-2" })
    await expire(its)
    its.next.fields = { expires_in: undefined }
    expect(await its.token()).toMatchObject({ accessToken: "access-3" })
    await expire(its)
    expect(await its.token()).toMatchObject({ accessToken: "access-4" })
    expect(its.sent.map(({ form }) => form.get("refresh_token"))).toEqual(["refresh-1", "refresh-2", "refresh-2"])
    for (const { headers, form } of its.sent) {
      if (facts.token.auth === "client_secret_basic") expect(headers.get("authorization")).toMatch(/^Basic /)
      if (facts.token.auth === "client_secret_post") expect(form.get("client_secret")).not.toBeNull()
    }
  })
})

test("the services that refresh at another URL, and the parameters for access that lasts", async () => {
  const found: Record<string, unknown> = {}
  for (const facts of providers) {
    const its = await connected(facts)
    const { scope, params, refresh } = (its.provider as { tokens?: ProviderAccess }).tokens ?? {}
    if (scope !== undefined) expect(its.asked.get("scope")?.split(" ")).toContain(scope)
    for (const [name, value] of Object.entries(params ?? {})) expect(its.asked.get(name)).toBe(value)
    if (refresh === undefined) continue
    await expire(its)
    await its.token()
    found[facts.module] = its.sent[0]?.url
    expect(its.sent[0]?.url).toBe(refresh)
  }
  // Others refresh where they exchange codes.
  expect(Object.keys(found)).toEqual(["figma", "startgg"])
})
