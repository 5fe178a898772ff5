import { audit } from "@latchkey/audit"
import { anonymous } from "@latchkey/anonymous"
import { apiKeys } from "@latchkey/api-keys"
import { bearer } from "@latchkey/bearer"
import { defineModule, type Module, route } from "@latchkey/core/module"
import { mfa } from "@latchkey/mfa"
import { password } from "@latchkey/password"
import { phone } from "@latchkey/phone"
import { visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { securityCatalogue, type SecurityEventName } from "../../core/src/model/security-catalogue.js"
import { cases, optionsFor } from "../../core/test/security-events/cases.js"
import { audited } from "../../core/test/security-events/setup.js"
import { memorySink } from "./site.js"

describe("each security event of core reaches a sink, as it was emitted", () => {
  const all = Object.entries(securityCatalogue).flatMap(([name, { outcomes }]) =>
    outcomes.map((outcome) => [name as SecurityEventName, outcome] as const),
  )
  test.each(all)("%s: %s", async (name, outcome) => {
    const sink = memorySink()
    const { modules = [], ...options } = optionsFor(name)
    const its = await audited({ ...options, modules: [...modules, audit({ sinks: [sink] })] })
    const [before, act] = cases[name][outcome] ?? []
    await before?.(its)
    await act?.(its)
    expect(sink.entries.filter((entry) => entry.name === name).map((entry) => entry.outcome)).toContain(outcome)
    const facts = sink.entries.map(({ at, name: of, outcome: how }) => [at, of, how])
    expect(facts).toEqual(its.heard.map((event) => [event.at.toISOString(), event.name, event.outcome]))
    const ids = sink.entries.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })
})

const packages: readonly Module[] = [
  anonymous(),
  apiKeys({ prefix: "acme" }),
  bearer({ audiences: ["https://app.test"] }),
  mfa(),
  password(),
  phone({ send: () => undefined }),
]

describe("each security event that a module declares reaches a sink", () => {
  test.each(packages)("those of $id", async ({ id, load }) => {
    const { events = {} } = (await load?.()) ?? {}
    const names = Object.keys(events)
    const emitter = defineModule({
      id,
      load: async () => ({
        events,
        routes: [
          route("GET", "emit", { session: "none" }, async (context) => {
            for (const name of names) await context.emit(name, { id: "1" }, { data: { step: name } })
            return context.empty(204)
          }),
        ],
      }),
    })
    const sink = memorySink()
    const browser = await visit({
      secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
      url: "https://app.test/auth",
      providers: [],
      modules: [emitter, audit({ sinks: [sink] })],
    })
    await browser.fetch(`/auth/${id}/emit`)
    expect(names.length).toBeGreaterThan(0)
    expect(sink.entries.map(({ name, data }) => [name, data?.["step"]])).toEqual(
      names.map((name) => [`${id}.${name}`, name]),
    )
  })
})
