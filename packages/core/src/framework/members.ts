import { membersOf, modulesIn } from "../module-kit/members.js"
import type { Module } from "../module-kit/model.js"
import type { Calls } from "./calls.js"
import { withoutDetails } from "./details.js"
import type { Integration } from "./model.js"
import type { Auth } from "./state.js"

/** What modules add to an integration. Their errors say no more in production than others do. */
export function memberFunctions<E extends object>(
  { authFor }: Calls<E>,
  modules: readonly Module[],
): Pick<Integration<E, unknown>, "members" | "membersFor"> {
  return {
    members: (event) =>
      membersOf(
        modules,
        callWith(() => authFor(event)),
      ),
    async membersFor(event) {
      const auth = await authFor(event)
      return membersOf(
        modulesIn(auth.config, undefined),
        callWith(async () => auth),
      )
    },
  }
}

function callWith(find: () => Promise<Auth>): Parameters<typeof membersOf>[1] {
  return async (id, name, args) => {
    const { config, server } = await find()
    try {
      return await server.members[id]?.[name]?.(...args)
    } catch (error) {
      throw withoutDetails(error, config)
    }
  }
}

/**
 * Makes a configuration function for the events of a framework, from one of other arguments. A function without parameters stays
 * one, because it can be called outside of requests.
 */
export function forEvents<E, A extends readonly [unknown, ...unknown[]], C>(
  find: (...args: A) => C,
  argumentsOf: (event: E) => A,
): (event: E) => C {
  const plain: unknown = find
  return find.length === 0 ? (plain as () => C) : (event) => find(...argumentsOf(event))
}
