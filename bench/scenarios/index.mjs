import { databaseScenarios } from "./database.mjs"
import { flatnessScenarios } from "./flatness.mjs"
import { formScenarios } from "./forms.mjs"
import { oidcScenarios } from "./oidc.mjs"
import { sessionScenarios } from "./session.mjs"
import { whoScenarios } from "./who.mjs"

/**
 * Something to be timed.
 * @typedef {object} Scenario
 * @property {string} id
 * @property {string} title
 * @property {number} [target] how many times faster than `@auth/core` Latchkey must be
 * @property {number} [flatness] how much more the largest count may cost than the smallest, as a factor
 * @property {readonly number[]} [counts]
 * @property {(engine: import("../peers/engine.mjs").Engine, world: object) => Promise<import("../measure.mjs").Task | undefined>} [task]
 * @property {(engine: import("../peers/engine.mjs").Engine) => Promise<import("../measure.mjs").Task[]>} [tasks] one a count
 */

/** @type {readonly Scenario[]} */
export const scenarios = [
  ...sessionScenarios,
  ...databaseScenarios,
  ...formScenarios,
  ...oidcScenarios,
  ...whoScenarios,
  ...flatnessScenarios,
]
