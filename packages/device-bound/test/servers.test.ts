import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Auth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { createAuth } from "@latchkey/express"
import { captureLog } from "@latchkey/testing"
import express from "express"
import { describe, expect, onTestFinished, test } from "vitest"
import { serve } from "../../../tests/browser/web.js"
import { deviceBound } from "../src/index.js"
import { answer, askRefresh, challengeIn, type Instructions, newDevice, offerIn, register } from "./device.js"

// The whole protocol over HTTP, as a browser and a real server speak it.

const configAt = (origin: string): AuthConfig => ({
  secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqR8eJ2aV5pLw",
  url: `${origin}/auth`,
  rateLimit: false,
  logger: captureLog().logger,
  providers: [
    credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name), name: String(name) }) }),
  ],
  modules: [deviceBound()],
})

/** Handlers of `Request` and `Response`, as those of Next.js are. */
async function handlers(): Promise<string> {
  const app: { config?: AuthConfig } = {}
  const { origin } = await serve(async (request) => Auth(request, app.config ?? { providers: [] }))
  app.config = configAt(origin)
  return origin
}

async function expressApp(): Promise<string> {
  const app = express()
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app.use(createAuth(configAt(origin)).routes)
  return origin
}

interface Client {
  readonly cookies: Map<string, string>
  send(url: string, init?: RequestInit): Promise<Response>
}

function client(): Client {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async send(url, init = {}) {
      const headers = new Headers(init.headers)
      headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "))
      const response = await fetch(url, { ...init, headers, redirect: "manual" })
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
  }
}

describe.each([
  ["Express", expressApp],
  ["handlers of requests and responses", handlers],
])("%s", (_, start) => {
  test("offers, registers, asks for a proof and renews", async () => {
    const origin = await start()
    const { send, cookies } = client()
    const { csrfToken } = (await (await send(`${origin}/auth/csrf`)).json()) as { readonly csrfToken: string }
    const body = new URLSearchParams({ csrfToken, name: "ada" })
    const signedIn = await send(`${origin}/auth/callback/credentials`, { method: "POST", body, headers: { origin } })
    const offer = offerIn(signedIn.headers.get("secure-session-registration"))
    if (offer === undefined) throw new Error("no offer")
    const post = async (url: string, headers: Readonly<Record<string, string>>) =>
      send(url, { method: "POST", headers })
    const device = await newDevice()
    const instructions = (await (await register(post, device, offer)).json()) as Instructions
    const [{ name } = { name: "" }] = instructions.credentials
    expect(cookies.has(name)).toBe(true)
    const session = async () => (await send(`${origin}/auth/session`)).json()
    expect(await session()).toMatchObject({ user: { name: "ada" } })
    cookies.delete(name)
    expect(await session()).toBeNull()
    const asked = await askRefresh(post, instructions)
    expect(asked.status).toBe(403)
    expect((await answer(post, instructions, await device.proof(challengeIn(asked)))).status).toBe(200)
    expect(await session()).toMatchObject({ user: { name: "ada" } })
  })
})
