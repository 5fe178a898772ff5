import type { Feature } from "../../config/feature.js"
import type { AuthContext } from "../../model/auth.js"
import type { BuiltInPages } from "../../model/built-in-pages.js"
import type { Route } from "../../model/features.js"
import { onFirstUse } from "../../primitives/awaitable.js"
import type { Brought } from "./brought.js"

const routes = new Map<string, Route<AuthContext>>([
  ["GET signin", { handle: onFirstUse(async () => (await import("./endpoints.js")).signInPage), provider: "optional" }],
  ["GET signout", { handle: onFirstUse(async () => (await import("./endpoints.js")).signOutPage) }],
  ["GET error", { handle: onFirstUse(async () => (await import("./endpoints.js")).errorPage) }],
])

/** The built-in pages, and the steps that flows get instead. */
export const pages: Feature = { routes, builtInPages }

function builtInPages(brought: () => Brought): BuiltInPages<AuthContext> {
  return {
    render: async (...args) => (await import("./render.js")).render(brought(), ...args),
    refuse: async (...args) => (await import("./render.js")).renderRefusal(...args),
    step: async (...args) => (await import("./flow/step.js")).stepOf(brought(), ...args),
    refusedStep: async (...args) => (await import("./flow/refusal.js")).refusedStep(...args),
    firstStep: async (...args) => (await import("./flow/step.js")).firstStepOf(brought(), ...args),
  }
}
