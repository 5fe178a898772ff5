// Mutation testing: `node tools/run.mjs mutate [part…]` (tools/commands/mutate.mjs).
const part = process.env.MUTATED_PART ?? "all"

export default {
  testRunner: "vitest",
  vitest: { configFile: "tools/mutation/vitest.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest",
  ignorePatterns: ["dist", "bench", ".git"],
  // Stryker would rewrite tsconfig.json with an interface that this compiler no longer has; nothing here needs it to.
  tsconfigFile: "no-such-tsconfig.json",
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 10_000,
  thresholds: { high: 90, low: 85, break: null },
  reporters: ["clear-text", "json", "progress"],
  jsonReporter: { fileName: `.stryker/${part.replaceAll("/", "-")}.json` },
  tempDirName: ".stryker/tmp",
  allowEmpty: false,
}
