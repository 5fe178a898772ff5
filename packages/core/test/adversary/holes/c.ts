import type { Hole } from "./hole.js"

const counted = {
  file: "packages/core/test/invariants/one-site.test.ts",
  title: "whatever object, host or path a guess comes through, its site counts it",
}

/** One site, one set of counters. */
export const holes: readonly Hole[] = [
  {
    name: "a configuration that is replaced begins new counters without end",
    file: "src/limits/ledger.ts",
    replace: "points: limit.points * share }",
    with: "points: Number.MAX_SAFE_INTEGER }",
    test: counted,
  },
  {
    name: "each spelling of a mount path is a site of its own",
    file: "src/config/site.ts",
    replace: "JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config)])",
    with: "JSON.stringify([listOf(secret), listOf(jwt?.secret), securityMode(config), config.basePath])",
    test: counted,
  },
  {
    name: "each process checks five codes of an email",
    file: "src/methods/email/tries.ts",
    replace: "used.expires.getTime() - (isLeft ? step : 0)",
    with: "used.expires.getTime()",
    test: {
      file: "packages/core/test/attacks/two-processes.test.ts",
      title: "several processes together check five codes of an email",
    },
  },
  {
    name: "an attacker locks a user out of their own devices",
    file: "src/limits/limiter.ts",
    replace: "if (await spendOfDevice(spending, names)) return",
    with: "",
    breaks: "owner-admitted",
    test: {
      file: "packages/core/test/attacks/lock-out.test.ts",
      title: "an attacker at the owner's own address doesn't lock out a known device either",
    },
  },
  {
    name: "an address from a header counts like that of a connection",
    file: "src/limits/limiter.ts",
    replace: "if (address === undefined || isCertainIp(source)) return",
    with: "if (address === undefined || isCertainIp(source) || source.isPeerForgeable) return",
    test: {
      file: "packages/core/test/attacks/guards.test.ts",
      title: "a client that names the address of another one doesn't use up its limit",
    },
  },
]
