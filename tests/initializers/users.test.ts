import { AstroAuth } from "@latchkey/astro"
import { createAuth as createExpress } from "@latchkey/express"
import { H3Auth } from "@latchkey/h3"
import { createAuth as createHono } from "@latchkey/hono"
import { AuthService } from "@latchkey/nestjs"
import NextAuth from "@latchkey/next"
import { createAuth as createNode } from "@latchkey/node"
import { createAuth as createFetch } from "@latchkey/node/fetch"
import { createAuth as createLambda } from "@latchkey/node/lambda"
import { NuxtAuth } from "@latchkey/nuxt/server"
import { ReactRouterAuth } from "@latchkey/react-router"
import { SolidAuth } from "@latchkey/solid-start"
import { SvelteKitAuth } from "@latchkey/sveltekit"
import { TanStackStartAuth } from "@latchkey/tanstack-start"
import { expect, test, vi } from "vitest"
import { twoSessions } from "../two-sessions.js"

vi.mock("$app/env", () => ({ building: false, dev: false }))
// No variable is declared. The mock would refuse to read one.
vi.mock("$app/env/private", () => new Proxy({}, { has: () => true }))
vi.mock("$app/paths", () => ({ base: "", resolve: (path: string) => path }))

type Config = Awaited<ReturnType<typeof configOf>>

interface Users {
  disable(userId: string, reason?: string): Promise<void>
  enable(userId: string): Promise<void>
  export(userId: string): Promise<{ readonly user: object | null; readonly sessions?: readonly object[] }>
}

async function configOf() {
  const options = await twoSessions()
  return { ...options, records: options.adapter.records }
}

/** What the initializer of each framework returns. Those of Elysia and Qwik need a request, and Fastify has a test of its own. */
const initializers: Readonly<Record<string, (config: Config) => Users | Promise<Users>>> = {
  astro: AstroAuth,
  express: createExpress,
  h3: H3Auth,
  hono: createHono,
  nestjs: (config) => new AuthService(config),
  next: NextAuth,
  node: createNode,
  "node/fetch": createFetch,
  "node/lambda": createLambda,
  nuxt: NuxtAuth,
  "react-router": ReactRouterAuth,
  "solid-start": SolidAuth,
  sveltekit: SvelteKitAuth,
  "tanstack-start": TanStackStartAuth,
}

test.each(Object.entries(initializers))(
  "%s disables, enables and exports a user without a request",
  async (_, make) => {
    const config = await configOf()
    const users = await make(config)
    const record = async () => config.records.get("core.disabled-user", "1")
    expect((await users.export("1")).sessions).toHaveLength(2)
    await users.disable("1", "fraud")
    expect(config.adapter.rows().sessions).toEqual([])
    expect(await record()).not.toBeNull()
    expect(await users.export("1")).toMatchObject({ user: { id: "1" }, sessions: [], disabled: { reason: "fraud" } })
    await users.enable("1")
    expect(await record()).toBeNull()
  },
)
