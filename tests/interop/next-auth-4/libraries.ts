import { AsyncLocalStorage } from "node:async_hooks"
import { createRequire } from "node:module"
import NextAuth, { getServerSession } from "@latchkey/next-auth-4"
import { getToken } from "@latchkey/next-auth-4/jwt"
import Credentials from "@latchkey/next-auth-4/providers/credentials"
import Email from "@latchkey/next-auth-4/providers/email"
import { vi } from "vitest"

type Anything = ReturnType<typeof JSON.parse>

/** The functions that an application imports. */
export interface Library {
  readonly NextAuth: (...args: readonly Anything[]) => Anything
  readonly getServerSession: (...args: readonly Anything[]) => Promise<unknown>
  readonly getToken: (params: Anything) => Promise<unknown>
  readonly Credentials: (options: Anything) => Anything
  readonly Email: (options: Anything) => Anything
}

const require = createRequire(import.meta.url)

/** What `next/headers` returns during a request. Outside of Next.js, the module itself throws. */
export const scope: AsyncLocalStorage<Anything> = new AsyncLocalStorage()

const inScope = { headers: () => scope.getStore().headers, cookies: () => scope.getStore().cookies }
const path = createRequire(require.resolve("next-auth-4")).resolve("next/headers")
require(path)
const loaded = require.cache[path]
if (loaded !== undefined) loaded.exports = inScope
vi.doMock("next/headers.js", () => inScope)

const main: Anything = require("next-auth-4")

export const published: Library = {
  NextAuth: main.default,
  getServerSession: main.getServerSession,
  getToken: require("next-auth-4/jwt").getToken,
  Credentials: require("next-auth-4/providers/credentials").default,
  Email: require("next-auth-4/providers/email").default,
}

export const bridge: Library = { NextAuth, getServerSession, getToken, Credentials, Email }
