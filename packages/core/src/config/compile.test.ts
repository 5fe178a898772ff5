import { describe, expect, test, vi } from "vitest"
import type { GivenProvider } from "../model/given-provider.js"
import { compile } from "../../test/compile.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG"
const logger = { error: () => {}, warn: () => {}, debug: () => {} }

describe("compiling a configuration", () => {
  test("calls a provider factory once, however often the configuration is used", () => {
    const factory = vi.fn(
      (): GivenProvider => ({ id: "acme", name: "Acme", type: "oidc", issuer: "https://acme.test", clientId: "c" }),
    )
    const config = { secret, logger, providers: [factory] }
    expect(compile(config).providers.get("acme")?.type).toBe("oidc")
    compile(config)
    expect(factory).toHaveBeenCalledTimes(1)
  })
})
