import { createIntegration, type Framework } from "@latchkey/core/integration"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { counter, counting } from "../../../../tests/counter.js"

const framework: Framework<Request> = {
  basePath: "/auth",
  env: () => ({}),
  read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
  toRequest: (request) => request,
}

describe("with a configuration function, the modules are an argument of their own", () => {
  const { modules, ...config } = counting()
  const request = new Request("https://app.test/auth/session")

  test("in a server, whose function gets `undefined`", async () => {
    const seen: unknown[] = []
    const server = createServer((visitor) => (seen.push(visitor), config), { modules })
    expect(await server.members["counter"]?.["add"]?.("server")).toBe(1)
    expect(seen).toEqual([undefined])
  })

  test("in an integration, whose function has no parameters", async () => {
    const { members } = createIntegration(() => config, framework, { modules })
    expect(await members()["counter"]?.["add"]?.("integration")).toBe(1)
  })

  test("in an integration, whose function takes the request", async () => {
    const { members } = createIntegration((_request: Request): AuthConfig => config, framework, { modules })
    await expect(members()["counter"]?.["add"]?.("request")).rejects.toThrow("use a function without parameters")
    expect(await members(request)["counter"]?.["add"]?.("request")).toBe(1)
  })

  test("and an error in its result", async () => {
    const find = () => ({ ...config, modules })
    const message = "Pass `modules` in the configuration, or as the second argument if it's a function"
    await expect(createIntegration(find, framework).session(request)).rejects.toThrow(message)
    await expect(createServer(find).signOut(framework.read(request) as never)).rejects.toThrow(message)
  })

  test("unless the integration says that its function returns them", async () => {
    const find = (_request: Request): AuthConfig => ({ ...config, modules: [counter()] })
    const { members, membersFor } = createIntegration(find, { ...framework, returnsModules: true })
    expect(members()).toEqual({})
    expect(await (await membersFor(request))["counter"]?.["add"]?.("returned")).toBe(1)
  })
})

test("a configuration can't have modules in two places", async () => {
  const config = counting()
  const { members } = createIntegration(config, framework, { modules: [counter()] })
  await expect(members()["counter"]?.["add"]?.("twice")).rejects.toThrow(
    "Pass `modules` in the configuration, or as the second argument if it's a function",
  )
})
