import type { Difference } from "./compare.js"
import type { Scenario } from "./plan.js"

/** A scenario as a test that can be pasted into a file of this folder. */
export function testFor({ plan, steps }: Scenario, differences: readonly Difference[]): string {
  const [first] = differences
  const title = first === undefined ? "nothing differs" : `${first.context.request}: ${first.where}`
  return [
    `import { test } from "vitest"`,
    `import { expectSame } from "./expect-same.js"`,
    "",
    ...differences.flatMap(({ where, theirs, ours, context }) => [
      `// ${context.request}, ${where}`,
      `//   next-auth: ${literal(theirs)}`,
      `//   Latchkey:  ${literal(ours)}`,
    ]),
    `test(${literal(title)}, () =>`,
    `  expectSame({`,
    `    plan: ${literal(plan)},`,
    `    steps: [`,
    ...steps.map((step) => `      ${literal(step)},`),
    `    ],`,
    `  }))`,
  ].join("\n")
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : JSON.stringify(value)
  const properties = Object.entries(value).map(([name, item]) => `${keyOf(name)}: ${literal(item)}`)
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`
}

function keyOf(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
}
