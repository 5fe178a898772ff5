import type { AuthConfig } from "@latchkey/core/types"
import { createAuth as createExpress } from "@latchkey/express"
import { H3Auth } from "@latchkey/h3"
import { createAuth as createHono } from "@latchkey/hono"
import { AuthService } from "@latchkey/nestjs"
import NextAuth from "@latchkey/next"
import { createAuth as createNode } from "@latchkey/node"
import { createAuth as createFetch } from "@latchkey/node/fetch"
import { createAuth as createLambda } from "@latchkey/node/lambda"
import { ReactRouterAuth } from "@latchkey/react-router"
import { SolidAuth } from "@latchkey/solid-start"
import { expect, test } from "vitest"
import { twoSessions } from "../two-sessions.js"

/** What the initializer of each framework returns. Those that only load in a bundle, or need a request, have a test of their own. */
const initializers = {
  express: createExpress,
  h3: H3Auth,
  hono: createHono,
  nestjs: (config) => new AuthService(config),
  next: NextAuth,
  node: createNode,
  "node/fetch": createFetch,
  "node/lambda": createLambda,
  "react-router": ReactRouterAuth,
  "solid-start": SolidAuth,
} satisfies Record<string, (config: AuthConfig) => { revoke(userId: string, reason?: string): Promise<void> }>

test.each(Object.entries(initializers))("`revoke` of %s needs no request", async (_, initialize) => {
  const config = await twoSessions()
  await initialize(config).revoke("1", "stolen laptop")
  expect(config.adapter.rows().sessions).toEqual([])
})
