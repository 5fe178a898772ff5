// Two processes over one database. Before each call of the first one to the database, the second one runs to its end. What
// comes out has to be what comes out in one sequence or the other: the same users, accounts and sessions.
import { describe, expect, test } from "vitest"
import { type Flow, ofNewUser, ofUser } from "./flows.js"
import { type Circumstances, play, type Scene, sceneOf, surprises, type World, worldOf } from "./pairs.js"

const circumstances: readonly Circumstances[] = [
  { mode: "strict", strategy: "database", hasTransactions: false },
  { mode: "compatible", strategy: "database", hasTransactions: true },
  { mode: "strict", strategy: "jwt", hasTransactions: true },
]

/** Runs a part of the pairs: of a new user under each circumstance, of a user under one of them. */
export function interruptFlows(isChosen: (place: number) => boolean): void {
  for (const [at, { mode, strategy, hasTransactions }] of circumstances.entries())
    describe(`[${mode}, ${strategy}${hasTransactions ? ", transactions" : ""}]`, () => {
      const its = { mode, strategy, hasTransactions }
      describe("a new user", () => {
        interruptEach(its, ofNewUser, (one, other) => isChosen(one + other + at))
      })
      describe("a user", () => {
        interruptEach(
          its,
          ofUser,
          (one, other) => isChosen(one + other) && (one * ofUser.length + other) % circumstances.length === at,
        )
      })
    })
}

function interruptEach(
  its: Circumstances,
  flows: readonly Flow[],
  isChosen: (one: number, other: number) => boolean,
): void {
  let made: Promise<readonly [World, Scene]> | undefined
  const make = async () => {
    const world = await worldOf(its)
    return [world, await sceneOf(world, flows)] as const
  }
  for (const [at, one] of flows.entries()) {
    const others = flows.filter((_, other) => isChosen(at, other))
    if (others.length === 0) continue
    test(`${one.title} that another process interrupts comes out as before or after it`, async () => {
      const [world, scene] = await (made ??= make())
      for (const other of others) expect(await surprises(world, scene, [one, other])).toEqual([])
    })
  }
}

/** Otherwise, all orders would have the same outcome. */
export function expectFlowsToWork(): void {
  test.each(circumstances)("[$mode, $strategy] every flow that nothing interrupts does what it should", async (its) => {
    const world = await worldOf(its)
    for (const flows of [ofNewUser, ofUser]) {
      const scene = await sceneOf(world, flows)
      for (const flow of flows) {
        const { errors } = await play(world, scene, [flow, flow], async (one, other) => {
          await other()
          await one()
        })
        // The sequence is the other way around, so the second process is first.
        expect([flow.title, errors[1]]).toEqual([flow.title, flow === refused ? "OAuthAccountNotLinked" : null])
      }
    }
  })
}

const refused = ofUser.find(({ title }) => title === "a first sign-in with another provider")
