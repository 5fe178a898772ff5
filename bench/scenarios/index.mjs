import { databaseScenarios } from "./database.mjs"
import { flatnessScenarios } from "./flatness.mjs"
import { formScenarios } from "./forms.mjs"
import { oidcScenarios } from "./oidc.mjs"
import { sessionScenarios } from "./session.mjs"
import { getSessionScenarios } from "./get-session.mjs"

/**
 * A comparison to time.
 * @typedef {object} Scenario
 * @property {string} id
 * @property {string} title
 * @property {number} [target] how many times the time of the limit Latchkey may take
 * @property {number} [flatness] the largest allowed ratio between the times for the largest and the smallest count
 * @property {readonly number[]} [counts]
 * @property {(engine: import("../peers/engine.mjs").Engine, world: object) => Promise<import("../measure.mjs").Task | undefined>} [task]
 * @property {(engine: import("../peers/engine.mjs").Engine) => Promise<import("../measure.mjs").Task[]>} [tasks] one per count
 */

/** @type {readonly Scenario[]} */
export const scenarios = [
  ...sessionScenarios,
  ...databaseScenarios,
  ...formScenarios,
  ...oidcScenarios,
  ...getSessionScenarios,
  ...flatnessScenarios,
]
