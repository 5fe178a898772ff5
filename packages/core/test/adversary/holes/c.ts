import type { Hole } from "./hole.js"

const counted = {
  file: "packages/core/test/invariants/one-site.test.ts",
  title: "whatever object, host or path a guess comes through, its site counts it",
}

/** One site, one set of counters. */
export const holes: readonly Hole[] = [
  {
    name: "each configuration is a site of its own",
    file: "src/primitives/state.ts",
    replace: "const site = known ?? {",
    with: "const site = {",
    test: counted,
  },
  {
    name: "a rotation of the secret begins new counters",
    file: "src/primitives/state.ts",
    replace: "const known = keys.map((secret) => sites.get(secret))",
    with: "const known = keys.slice(0, 1).map((secret) => sites.get(secret))",
    test: {
      file: "packages/core/test/server/shared-state.test.ts",
      title: "that share a secret are one site, whatever their mode",
    },
  },
  {
    name: "each process checks five codes of an email",
    file: "src/features/email/link-cookie.ts",
    replace: "used.expires.getTime() - (isLeft ? step : 0)",
    with: "used.expires.getTime()",
    test: {
      file: "packages/core/test/attacks/two-processes.test.ts",
      title: "several processes together check five codes of an email",
    },
  },
  {
    name: "an attacker locks a user out of their own devices",
    file: "src/features/rate-limits/limiter.ts",
    replace: "if (ofDevice.length > 0) return",
    with: "",
    breaks: "owner-admitted",
    test: {
      file: "packages/core/test/attacks/lock-out.test.ts",
      title: "an attacker at the owner's own address doesn't lock out a known device either",
    },
  },
  {
    name: "an address from a header counts like that of a connection",
    file: "src/limits/attempts.ts",
    replace: "if (address === undefined || !isForgeable) return",
    with: "if (address === undefined || !isForgeable || request.isPeerForgeable) return",
    test: {
      file: "packages/core/test/attacks/guards.test.ts",
      title: "a client that names the address of another one doesn't use up its limit",
    },
  },
  {
    name: "a field that the form doesn't declare names another user",
    file: "src/features/credentials/fields.ts",
    replace: "field === lead || isUsual(field) ||",
    with: "field === lead || (isUsual(field) && declared.includes(field)) ||",
    test: {
      file: "packages/core/test/attacks/rate-limiting.test.ts",
      title: "has one limit, whatever other fields are sent, declared or not, as a form or as JSON",
    },
  },
  {
    name: "one request uses up the limits of many users",
    file: "src/features/credentials/fields.ts",
    replace: "names.length <= maxIdentifiers",
    with: "names.length <= maxIdentifiers * 100",
    test: {
      file: "packages/core/test/attacks/rate-limiting.test.ts",
      title: "can't be one of dozens in a request, which would slow down as many users",
    },
  },
  {
    name: "a letter that a database takes for another one is another user",
    file: "src/limits/one-spelling.ts",
    replace: "letters.get(letter) ?? letter",
    with: "letter",
    test: {
      file: "packages/core/test/attacks/rate-limiting.test.ts",
      title: "has one limit in every spelling that a database may know",
    },
  },
  {
    name: "of a repeated field of credentials, one value is checked by others and another one here",
    file: "src/features/credentials/fields.ts",
    replace: "if (isStrict && repeated.has(name)) throw",
    with: "if (isStrict && repeated.has(name) && name === undefined) throw",
    test: {
      file: "packages/core/test/attacks/bounded-input.test.ts",
      title: "a repeated field is refused under strict, and its last value counts otherwise",
    },
  },
  {
    name: "JSON hides repeated fields",
    file: "src/http/body.ts",
    replace: "colon !== undefined && level === 1",
    with: "colon !== undefined && level === -1",
    test: {
      file: "packages/core/test/attacks/bounded-input.test.ts",
      title: "a repeated field is refused under strict, and its last value counts otherwise",
    },
  },
]
