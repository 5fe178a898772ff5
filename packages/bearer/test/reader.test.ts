import { createSessionReader } from "@latchkey/core/session-reader"
import type { Module } from "@latchkey/core/types"
import { afterEach, describe, expect, test, vi } from "vitest"
import { bearer } from "../src/index.js"
import { minted, secret, signIn, siteOf } from "./site.js"

// Where only sessions are read: pages of Next.js, and middleware.

const origin = "https://app.test"
const audiences = [origin]
const issuer = `${origin}/auth/bearer`

afterEach(() => void vi.unstubAllGlobals())

/** A deployment that only reads sessions, with or without a store. */
async function tokenAndReader(options: { readonly isEdge: boolean; readonly issuer?: string }) {
  const site = siteOf({ audiences })
  const token = await minted(await signIn(site))
  const { adapter, runtime = {} } = site.config
  const rest = options.issuer === undefined ? {} : { issuer: options.issuer }
  const modules: readonly Module[] = [bearer({ audiences, ...rest })]
  const store = options.isEdge ? { session: { strategy: "jwt" as const } } : { adapter }
  const reader = createSessionReader({ secret, url: `${origin}/auth`, runtime, modules, ...store })
  const read = async (authorization: string) => reader.session({ headers: new Headers({ authorization }), origin })
  return { site, token, read }
}

describe("with the store", () => {
  test("a token is a session, without a request for the keys, and ends with `revoke`", async () => {
    const fetched = vi.fn(async () => Response.error())
    vi.stubGlobal("fetch", fetched)
    const { site, token, read } = await tokenAndReader({ isEdge: false })
    expect((await read(`Bearer ${token}`)).session).toMatchObject({ user: { id: site.idOf("ada"), name: "ada" } })
    expect((await read(`Bearer ${token}x`)).session).toBeNull()
    await site.server.revoke(site.idOf("ada"))
    expect((await read(`Bearer ${token}`)).session).toBeNull()
    expect(fetched).not.toHaveBeenCalled()
  })
})

describe("without the store", () => {
  test("a token is a session, with the keys that the site publishes", async () => {
    const { site, token, read } = await tokenAndReader({ isEdge: true, issuer })
    site.clock.set(Date.now())
    const current = await minted(await signIn(site))
    vi.stubGlobal("fetch", async (url: string) => site.send(url.replace(`${origin}/auth/`, "")))
    expect((await read(`Bearer ${current}`)).session).toMatchObject({
      user: { id: site.idOf("ada") },
      bearer: { clientId: "web" },
    })
    // It has expired, and no clock but the system's is there.
    expect(await read(`Bearer ${token}`)).toMatchObject({ session: null })
    expect(await read("Bearer x")).toMatchObject({ session: null, cookies: [] })
  })

  test("an outage isn't a sign-out", async () => {
    const { token, read } = await tokenAndReader({ isEdge: true, issuer })
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("fetch failed")))
    expect(await read(`Bearer ${token}`)).toMatchObject({ session: null, error: expect.any(Error) })
  })

  test("and without an issuer, no token counts", async () => {
    const { token, read } = await tokenAndReader({ isEdge: true })
    expect(await read(`Bearer ${token}`)).toMatchObject({ session: null })
  })
})
