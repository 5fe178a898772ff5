import { isDeepStrictEqual } from "node:util"
import { defineModule, type Verdict } from "@latchkey/core/module"
import type { Module } from "@latchkey/core/types"
import { complete, newPerson, outcomeOf } from "./person.js"
import { fail, type ModuleCase, type ModuleSubject } from "./subject.js"
import { siteOf, storedOf } from "./site.js"

export const order: ModuleCase = {
  id: "module.order",
  name: "the order of the modules decides nothing",
  async run(subject) {
    for (const neighbors of [[allows], [allows, diverts], [diverts, denies]]) {
      const orders = permutations([-1, ...neighbors.keys()])
      const results: unknown[] = []
      for (const places of orders)
        results.push(await resultOf(subject, (module) => places.map((place) => neighbors[place]?.() ?? module)))
      const other = results.find((result) => !isDeepStrictEqual(result, results[0]))
      if (other !== undefined)
        fail(`A sign-in has one result in any order of modules: ${show(results[0])}`, show(other))
    }
  },
}

/** The module is set up alone, because a neighbor may refuse. */
async function resultOf(subject: ModuleSubject, arrange: (module: Module) => readonly Module[]): Promise<unknown> {
  const site = await siteOf(subject)
  const person = await newPerson(site)
  const browser = await complete(await site.another({ arrange }), person)
  const { at, session } = await outcomeOf(browser)
  const kinds = (await storedOf(site)).map(({ kind }) => kind).toSorted()
  return { at, session: withoutUser(session, person.user), kinds }
}

function withoutUser(session: unknown, { id, email }: { readonly id: string; readonly email: string }): unknown {
  return JSON.parse(JSON.stringify(session).replaceAll(id, "<id>").replaceAll(email, "<email>"))
}

const show = (result: unknown): string => JSON.stringify(result)

/** A guard, and an addition to the session. Their ids sort before, among and after those of others. */
const neighbor = (id: string, verdict: Verdict) => (): Module =>
  defineModule({
    id,
    session: ({ session }) => ({ ...session, [id]: true }),
    load: async () => ({ guard: () => verdict }),
  })

const allows = neighbor("a-neighbor", { kind: "allow" })
const denies = neighbor("m-neighbor", { kind: "deny", reason: "not today" })
const diverts = neighbor("z-neighbor", { kind: "divert", url: "/waitlist" })

function permutations<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all]
  return all.flatMap((first, index) => permutations(all.toSpliced(index, 1)).map((rest) => [first, ...rest]))
}
