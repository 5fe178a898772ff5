// Mutation testing of the layers that decide over security: `node tools/run.mjs mutate [files]` (not part of CI).
export default {
  testRunner: "vitest",
  vitest: { configFile: "tools/mutation/vitest.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest",
  mutate: ["http", "crypto", "session", "signin", "methods/oauth", "limits"]
    .map((part) => `packages/core/src/${part}/**/*.ts`)
    .concat(["!**/*.test.ts", "!**/*.d.ts"]),
  ignorePatterns: ["dist", "bench", ".git"],
  // Stryker would rewrite tsconfig.json with an interface that this compiler no longer has; nothing here needs it to.
  tsconfigFile: "no-such-tsconfig.json",
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 90, low: 85, break: 85 },
  reporters: ["clear-text", "json", "progress"],
  jsonReporter: { fileName: ".stryker/report.json" },
  tempDirName: ".stryker/tmp",
  allowEmpty: false,
}
