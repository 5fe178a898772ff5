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
import { type Counter, counter, counting } from "../counter.js"

vi.mock("$app/env", () => ({ building: false, dev: false }))
// No variable is declared. The mock would refuse to read one.
vi.mock("$app/env/private", () => new Proxy({}, { has: () => true }))
vi.mock("$app/paths", () => ({ base: "", resolve: (path: string) => path }))

type Config = ReturnType<typeof counting>
interface Result {
  readonly counter: Counter
}

/** What the initializer of each framework returns. Those of Elysia, Fastify and Qwik have a test of their own. */
const initializers = {
  astro: AstroAuth,
  express: createExpress,
  h3: H3Auth,
  hono: createHono,
  nestjs: (config) => new AuthService(config).modules as Result,
  next: NextAuth,
  node: createNode,
  "node/fetch": createFetch,
  "node/lambda": createLambda,
  nuxt: NuxtAuth,
  "react-router": ReactRouterAuth,
  "solid-start": SolidAuth,
  sveltekit: SvelteKitAuth,
  "tanstack-start": TanStackStartAuth,
} satisfies Record<string, (config: Config) => Result>

test.each(Object.entries(initializers))("a member of %s needs no request", async (_, initialize) => {
  const auth = initialize(counting())
  expect(await auth.counter.add("visits")).toBe(1)
  expect(await auth.counter.add("visits")).toBe(2)
})

type Find = () => Promise<Omit<Config, "modules">>
interface Options {
  readonly modules: Config["modules"]
}

const withFunctions = {
  astro: AstroAuth,
  h3: H3Auth,
  hono: createHono,
  next: NextAuth,
  node: createNode,
  "node/fetch": createFetch,
  "node/lambda": createLambda,
  nuxt: NuxtAuth,
  "react-router": ReactRouterAuth,
  "solid-start": SolidAuth,
  sveltekit: SvelteKitAuth,
  "tanstack-start": TanStackStartAuth,
} satisfies Record<string, (find: Find, options: Options) => Result>

test.each(Object.entries(withFunctions))(
  "a member of %s works with a configuration function without parameters",
  async (_, initialize) => {
    const { modules, ...config } = counting()
    const auth = initialize(async () => config, { modules })
    expect(await auth.counter.add("visits")).toBe(1)
    expect(await auth.counter.add("visits")).toBe(2)
  },
)

test("a module can't have the name of another member of the result", () => {
  const named = <const Id extends string>(id: Id) => ({ ...counter(), id })
  const config = counting()
  expect(() => createHono({ ...config, modules: [named("protect")] })).toThrow(
    'modules: "protect" is a function of the integration itself. Give the module another id',
  )
  expect(() => NextAuth({ ...config, modules: [named("handlers")] })).toThrow('modules: "handlers"')
})
