// Configurations that share a secret are one site, and most tests share one. So each test begins like a new process.
import { beforeEach } from "vitest"

beforeEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for("@latchkey/core@0"))
})
