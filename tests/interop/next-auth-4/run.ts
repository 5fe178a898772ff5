import { createHash } from "node:crypto"
import type { FakeProvider } from "@latchkey/testing"
import { vi } from "vitest"
import { withVariables } from "../differential/environment.js"
import { createRecorder } from "../differential/recorder.js"
import { optionsFor } from "./application.js"
import { type Difference, differencesIn } from "./compare.js"
import { bridge, type Library, published } from "./libraries.js"
import { ends, idOf } from "./matchers.js"
import type { Plan, Scenario } from "./plan.js"
import { serve, type Site } from "./server.js"
import { createVisitor, type Visitor } from "./visitor.js"

export interface Result {
  readonly unlisted: readonly Difference[]
  readonly used: ReadonlySet<string>
  readonly requests: number
}

const start = Date.UTC(2026, 0, 1)
let scenarios = 0

/** Plays the scenario on both libraries, step by step, under one clock that stands still. */
export async function run({ plan, steps }: Scenario, op: FakeProvider): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: start })
  scenarios += 1
  const secret = createHash("sha256").update(`secret ${scenarios}`).digest("base64")
  const variables: Record<string, string> = plan.trustsHost ? { AUTH_TRUST_HOST: "1" } : { NEXTAUTH_URL: plan.origin }
  return withVariables({ NODE_ENV: "production", ...variables }, async () => {
    const theirs = await open(published, plan, { op, secret })
    const ours = await open(bridge, plan, { op, secret })
    const used = new Set<string>()
    let requests = 0
    try {
      for (const [index, step] of steps.entries()) {
        const a = await theirs.visitor.perform(step)
        const b = await ours.visitor.perform(step)
        requests += a.length
        const jars = { theirs: theirs.visitor.jar, ours: ours.visitor.jar }
        const found = await differencesIn(a, b, { plan, step, secret, jars, earlier: steps.slice(0, index) })
        const unlisted = found.filter((difference) => idOf(difference) === undefined)
        for (const difference of found) used.add(idOf(difference) ?? "unlisted")
        if (unlisted.length > 0) return { unlisted, used, requests }
        // What follows would only repeat the difference.
        const isOver = found.some((each) => each.where === "held.session" || ends.has(idOf(each) ?? ""))
        if (isOver) break
      }
      return { unlisted: [], used, requests }
    } finally {
      await Promise.all([theirs.site.close(), ours.site.close()])
      vi.useRealTimers()
    }
  })
}

async function open(
  library: Library,
  plan: Plan,
  parts: { readonly op: FakeProvider; readonly secret: string },
): Promise<{ readonly visitor: Visitor; readonly site: Site }> {
  const recorder = createRecorder()
  const site = await serve(library, plan, optionsFor(library, plan, { ...parts, recorder }))
  return { site, visitor: createVisitor({ plan, site, op: parts.op, recorder }) }
}
