import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import { type Asserted, defineModule, type Module, type ModuleParts, route } from "@latchkey/core/module"
import Passkey from "@latchkey/core/providers/passkey"
import type { AuthConfig } from "@latchkey/core/types"
import { type Authenticator, type Browser, createAuthenticator } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { siteOf } from "./setup.js"

type Options = Parameters<Authenticator["get"]>[0]

/** Asks for a passkey of the signed-in user, and says who answered. The query has the purpose and the passkeys that may. */
function door(id = "door", parts: ModuleParts = {}): Module {
  const questionIn = ({ purpose = "open", among }: Readonly<Record<string, string>>, userId: string) => ({
    userId,
    purpose,
    ...(among !== undefined && { among: [among] }),
  })
  return defineModule({
    id,
    load: async () => ({
      routes: [
        route("GET", "ask", {}, async ({ json, passkeys, request }, user) =>
          json((await passkeys?.ask(questionIn(request.query, user.id))) ?? null),
        ),
        route("POST", "answer", {}, async ({ json, passkeys, request }, user) =>
          json((await passkeys?.verify(questionIn(request.query, user.id), String(request.fields["passkey"]))) ?? null),
        ),
        route("GET", "own", {}, async ({ json, passkeys }, user) => json((await passkeys?.of(user.id)) ?? null)),
        route("GET", "page", {}, async ({ page, passkeys, request }, user) => {
          const options = (await passkeys?.ask(questionIn(request.query, user.id))) ?? {}
          return page({ title: "Door", blocks: [{ kind: "passkey", route: "answer", label: "Open", options }] })
        }),
        route("GET", "plain", {}, ({ page }) => page({ title: "Door", blocks: [] })),
      ],
      ...parts,
    }),
  })
}

interface Opened {
  readonly browser: Browser
  readonly store: MemoryAdapter
  readonly authenticator: Authenticator
  ask(query?: string, module?: string): Promise<Options | null>
  answer(options: Options | null, query?: string, module?: string): Promise<Asserted | null>
}

/** Ada is signed in, and has a passkey. */
async function opened(modules: readonly Module[] = [door()], more: Partial<AuthConfig> = {}): Promise<Opened> {
  const store = memoryAdapter()
  const experimental = { enableWebAuthn: true }
  const { browser } = await siteOf(modules, { adapter: store, providers: [Passkey()], experimental, ...more })
  const authenticator = createAuthenticator({ origin: browser.origin })
  await browser.registerPasskey(authenticator, { fields: { email: "ada@example.test" } })
  return {
    browser,
    store,
    authenticator,
    ask: async (query = "", module = "door") => (await browser.fetch(`/auth/${module}/ask?${query}`)).json(),
    async answer(options, query = "", module = "door") {
      const passkey = options === null ? "" : JSON.stringify(await authenticator.get(options))
      const body = new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", passkey })
      return (await browser.fetch(`/auth/${module}/answer?${query}`, { method: "POST", body })).json()
    },
  }
}

describe("a module that asks for a passkey", () => {
  test("learns which one answered, and how", async () => {
    const { store, ask, answer, browser } = await opened()
    const [row] = store.rows().authenticators
    expect(await (await browser.fetch("/auth/door/own")).json()).toEqual([{ id: row?.credentialID }])
    expect(await answer(await ask())).toEqual({ id: row?.credentialID, amr: "hwk" })
    expect(store.rows().authenticators[0]?.counter).toBe((row?.counter ?? 0) + 1)
  })

  test("takes no answer to another purpose, nor one that another module asked for", async () => {
    const { ask, answer } = await opened([door(), door("window")])
    expect(await answer(await ask("purpose=open"), "purpose=close")).toBeNull()
    expect(await answer(await ask("", "window"))).toBeNull()
    expect(await answer(await ask("purpose=close"), "purpose=close")).not.toBeNull()
  })

  test("takes an answer once", async () => {
    const { ask, answer } = await opened()
    const options = await ask()
    expect(await answer(options)).not.toBeNull()
    expect(await answer(options)).toBeNull()
  })

  test("asks only for the passkeys that may answer", async () => {
    const { store, ask, answer } = await opened()
    const id = encodeURIComponent(store.rows().authenticators[0]?.credentialID ?? "")
    expect(await ask("among=another")).toBeNull()
    expect(await answer(await ask(), "among=another")).toBeNull()
    expect(await answer(await ask(`among=${id}`), `among=${id}`)).not.toBeNull()
  })

  test("has a button on its page, with the script that the page allows", async () => {
    const { browser } = await opened()
    await browser.get("/auth/door/page")
    expect(browser.text).toMatch(/<button type="button" data-passkey="[^"]+" hidden>Open<\/button>/)
    expect(browser.text).toMatch(/<script nonce="[^"]+">.*data-passkey/s)
    expect(browser.response.headers.get("content-security-policy")).toContain("script-src 'nonce-")
    await browser.get("/auth/door/plain")
    expect(browser.text).not.toContain("<script")
  })

  test.each<[string, Partial<AuthConfig>]>([
    ["provider of passkeys", { providers: [] }],
    ["store of records", { records: undefined, adapter: { ...memoryAdapter(), records: undefined } }],
  ])("can't ask without a %s", async (_, missing) => {
    const seen: unknown[] = []
    const asked = door("door", {
      routes: [route("GET", "can", { session: "none" }, ({ json, passkeys }) => json(seen.push(passkeys)))],
    })
    const config = {
      adapter: memoryAdapter(),
      providers: [Passkey()],
      experimental: { enableWebAuthn: true },
      ...missing,
    }
    const { browser } = await siteOf([asked], config)
    await browser.get("/auth/door/can")
    expect(seen).toEqual([undefined])
  })

  test("keeps the passkey that it relies on", async () => {
    const kept = new Set<string>()
    const { browser, store, authenticator } = await opened([
      door("door", { keepsPasskey: (_, __, id) => kept.has(id) }),
    ])
    const second = createAuthenticator({ origin: browser.origin })
    await browser.registerPasskey(second)
    const [first, other] = store.rows().authenticators.map(({ credentialID }) => credentialID)
    kept.add(first ?? "")
    for (const id of [first ?? "", other ?? ""])
      await browser.post("/auth/account", { action: "remove-passkey", id, csrfToken: (await browser.csrf()) ?? "" })
    expect(store.rows().authenticators.map(({ credentialID }) => credentialID)).toEqual([first])
    expect(authenticator.credentials).toHaveLength(1)
  })
})
