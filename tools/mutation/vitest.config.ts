import base from "../../vitest.config.js"

/** The tests of core alone: those of the other packages drive the same code a second time. */
export default {
  ...base,
  test: { ...base.test, include: ["packages/core/src/**/*.test.ts", "packages/core/test/**/*.test.ts"] },
}
