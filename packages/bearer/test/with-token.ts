import { expect } from "vitest"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { bearer } from "@latchkey/bearer"
import type { AuthConfig, Module } from "@latchkey/core/types"
import { createProvider, visit } from "@latchkey/testing"

/** An application with a user who has an access token for it. */
export interface WithToken {
  readonly adapter: NonNullable<AuthConfig["adapter"]>
  readonly modules: readonly Module[]
  readonly token: string
  /** Of another user, who is signed in in a browser. */
  readonly cookie: string
}

/** For the configuration of a framework, at this origin. */
export async function withToken(secret: string, origin: string): Promise<WithToken> {
  const { records, ...stores } = memoryAdapter()
  const adapter: WithToken["adapter"] = { ...stores, ...(records && { records: { ...records, atomic: "global" } }) }
  const modules = [bearer({ audiences: [origin] })]
  const people = { ada: { sub: "ada", name: "ada" }, eve: { sub: "eve", name: "eve" } }
  const op = createProvider({ people })
  const config = { secret, trustHost: true, adapter, modules, providers: [op.provider()], url: `${origin}/auth` }
  const open = async (as: string) => {
    const browser = await visit(config, { origin })
    await browser.signInWith(op, { as })
    return browser
  }
  const ada = await open("ada")
  const body = new URLSearchParams({ csrfToken: (await ada.csrf()) ?? "" })
  const minted = await ada.fetch("/auth/bearer/mint", { method: "POST", body })
  const { access_token: token } = (await minted.json()) as { readonly access_token: string }
  const eve = await open("eve")
  const cookie = eve.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  return { adapter, modules, token, cookie }
}

/** Sends a request to a page that needs a session, and returns the status, the challenge and the body. */
type Ask = (headers: Readonly<Record<string, string>>) => Promise<Answer>

interface Answer {
  readonly status: number | undefined
  readonly challenge: string | null | undefined
  readonly body: string
}

/** What `Authorization: Bearer` means in every framework. The page responds with the name of the user. */
export async function expectTokens({ token, cookie }: WithToken, ask: Ask): Promise<void> {
  const page = { accept: "text/html" }
  const authorization = `Bearer ${token}`
  expect((await ask({ cookie })).body).toContain("eve")
  for (const headers of [{ authorization }, { authorization, cookie }, { authorization, ...page }]) {
    const answer = await ask(headers)
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining("ada")])
  }
  const refused = { status: 401, challenge: 'Bearer error="invalid_token"' }
  for (const wrong of ["Bearer", "bearer x", `${authorization}x`, "Bearer eyJ.eyJ.x", `Bearer ${"a".repeat(4000)}`]) {
    expect(await ask({ authorization: wrong, cookie, ...page })).toMatchObject(refused)
    expect(await ask({ authorization: wrong, cookie })).toMatchObject(refused)
  }
}
