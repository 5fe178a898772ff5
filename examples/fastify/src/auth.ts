import latchkey from "@latchkey/fastify"
import type { FastifyInstance } from "fastify"
import { authConfig } from "./auth.config.ts"

// Sessions have the type that the `session` callback returns.
declare module "@latchkey/fastify" {
  interface Register {
    config: typeof authConfig
  }
}

/** Adds the auth routes, and the functions for sessions to requests and replies. */
export async function addAuth(app: FastifyInstance): Promise<void> {
  await app.register(latchkey, authConfig)
}
